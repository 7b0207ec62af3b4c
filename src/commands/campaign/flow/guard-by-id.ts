/** Checks a campaign that is started by its id, without a file: guards, the opt-out list, and who has received it. */
import type { Campaign } from "../../../wire/entities/campaign.ts";
import {
  CommandError,
  type Args,
  type Call,
  type ArgValues,
  type Question,
} from "../../base/define-command.ts";
import { channelsOfSegments } from "../audience/targets.ts";
import { countProblem, readGuards, timeProblem, type Guards } from "../file/guards.ts";
import type { GUARD_ARGS } from "../args/guards.ts";
import { readOptOuts } from "../receipts/campaign-folder.ts";
import { familyOf, isOpen } from "../receipts/family.ts";
import { readProgress } from "../receipts/journal.ts";
import { audienceOf, isForChannels, receptionOf } from "../receipts/received.ts";
import { earlierConflict } from "../receipts/standing.ts";
import { unfilledProblems } from "./check-template.ts";
import { namedIds } from "../../../text/words.ts";

/** Most people named in a hint that is to be run. */
const MOST_NAMED = 5;

type GuardCall = Pick<Call<Args>, "core" | "signal" | "progress" | "now" | "machine">;

/** Throws `CommandError` if the start is not allowed or not confirmed; it is planned in `delay` milliseconds. */
export async function confirmById(
  call: GuardCall,
  id: string,
  flags: ArgValues<typeof GUARD_ARGS>,
  question: Question,
  delay = 0,
): Promise<void> {
  call.machine?.requireAnswer(question);
  const guards = readGuards({}, flags);
  const timeFault = timeProblem(guards, call.now() + delay);
  if (timeFault !== undefined)
    throw new CommandError("conflict", `Campaign ${id} is not sent at this time: ${timeFault}.`);
  const { campaign } = await call.core.call("getCampaign", { path: { id }, query: { limit: 1 } });
  const { begun } = readProgress(call.machine, id);
  if (begun?.mode === "messages")
    throw new CommandError(
      "conflict",
      `Campaign ${id} was begun by this program (--mode messages) at ${begun.at} from ${begun.file}.`,
      `parley campaign report ${id}`,
    );
  const [unfilled] = unfilledProblems({ fields: campaign, sender: undefined, everybody: [] });
  if (unfilled !== undefined)
    throw new CommandError(
      "rejected",
      `Campaign ${id} is not sent: ${unfilled}.`,
      `parley campaign set ${id} --help`,
    );
  const audience = await requireAudience(call, campaign, guards);
  const conflict = isOpen(campaign) ? await earlierConflict(call, campaign, [...audience]) : undefined;
  if (conflict) throw conflict;
  await requireUnserved(call, campaign);
  await call.machine?.ask(question);
}

/** The people it is for; of a campaign to channels, none. */
async function requireAudience(
  call: GuardCall,
  campaign: Campaign,
  guards: Guards,
): Promise<ReadonlySet<string>> {
  const { id } = campaign;
  const toChannels = isForChannels(campaign);
  const audience = toChannels ? new Set<string>() : await audienceOf(call, campaign);
  audience.delete(campaign.sender_id);
  const size = toChannels ? (await channelsOfSegments(call, campaign.segments)).channels : audience.size;
  const countFault = countProblem(guards, size) ?? (size === 0 ? "nobody would receive it" : undefined);
  if (countFault !== undefined)
    throw new CommandError("rejected", `Campaign ${id} is not sent: ${countFault}.`);
  const optedOut = new Set(readOptOuts(call.machine).map((one) => one.id));
  const excluded = [...audience].filter((user) => optedOut.has(user));
  if (excluded.length > 0)
    throw new CommandError(
      "rejected",
      `Campaign ${id} is not sent: ${namedIds(excluded, "person in it opted out", "people in it opted out")}.`,
      leaveOutHint(campaign, excluded),
    );
  return audience;
}

/** How people who opted out leave a draft: a list of targets can do without them, another audience is made by a file. */
function leaveOutHint(
  { id, segments = [], user_ids = [] }: Partial<Campaign>,
  excluded: readonly string[],
): string {
  const [segment, ...others] = segments;
  const isList = segment && !segment.filter && !segment.all_users && !segment.all_sender_channels;
  if (!isList || others.length > 0 || user_ids.length > 0)
    return "A campaign file leaves them out by itself: parley campaign new.";
  const named =
    excluded.length <= MOST_NAMED
      ? `parley segment remove ${segment.id} ${excluded.join(" ")}`
      : `parley campaign optout list --ndjson | parley segment remove ${segment.id} --file -`;
  return `${named} leaves them out; then parley campaign start ${id}`;
}

/** WH-6: the provider knows whom the campaign itself has served, and not what its other runs have sent. */
async function requireUnserved(call: GuardCall, campaign: Campaign): Promise<void> {
  const { id } = campaign;
  const { runs, deleted } = await familyOf(call, id, campaign);
  if (deleted.length === 0 && !runs.some((run) => run.id !== id && !isOpen(run))) return;
  const { audiences, byRun, received, waiting, unproved } = await receptionOf(call, id, campaign);
  const twice = [...(audiences.get(id) ?? [])].filter(
    (user) =>
      !byRun.get(id)?.has(user) &&
      (received.has(user) || unproved.has(user) || (waiting.get(user) ?? id) !== id),
  );
  if (twice.length === 0) return;
  throw new CommandError(
    "conflict",
    `Campaign ${id} is not sent: another run of it has reached, or is about to reach, ${namedIds(twice, "person in it", "people in it")}.`,
    `parley campaign continue ${id} sends it to those who are left`,
  );
}
