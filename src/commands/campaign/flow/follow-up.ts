/** Creates a follow-up campaign for people who provably have not received another one. */
import type { Campaign, CampaignInput } from "../../../wire/entities/campaign.ts";
import { CommandError } from "../../base/define-command.ts";
import { audienceOf, messagesOf } from "../audience/missed.ts";
import { fetchUsers } from "../audience/people.ts";
import { Journal, readJournal, journalAuthor } from "./journal.ts";
import { readOptOuts } from "./campaign-folder.ts";
import { makeAndStart } from "./make-campaign.ts";
import type { StartCall } from "./start-file.ts";
import type { FollowUp } from "../args/follow-up.ts";

/** Maximum number of follow-ups. */
const MAX_FOLLOW_UPS = 99;

/** The next free id: `spring-r2`, `spring-r3`. */
async function nextId(call: StartCall, id: string): Promise<string> {
  const base = id.replace(/-r\d+$/, "");
  const names = Array.from({ length: MAX_FOLLOW_UPS }, (_, n) => `${base}-r${n + 2}`);
  const { campaigns } = await call.core.call("queryCampaigns", {
    body: { filter: { id: { $in: names } }, limit: MAX_FOLLOW_UPS, user_limit: 1 },
  });
  const usedIds = new Set(campaigns.map((one) => one.id));
  const free = names.find((name) => !usedIds.has(name));
  if (free === undefined)
    throw new CommandError("conflict", `${base} was sent in ${MAX_FOLLOW_UPS} parts already.`);
  return free;
}

interface RemainingAudience {
  received: number;
  people: string[];
  exclusions: Record<string, string[]>;
  sender_since: string;
}

/** Throws `CommandError` (conflict) when fewer messages are found than the provider has sent, so that others may have received it. */
async function remainingAudience(
  call: StartCall,
  campaign: Campaign,
  accept: boolean,
): Promise<RemainingAudience> {
  const { id, sender_id: sender, stats } = campaign;
  const audience = [...(await audienceOf(call, campaign))].filter((user) => user !== sender);
  const users = await fetchUsers(call, [sender, ...audience]);
  const found =
    stats.stats_users_sent === 0
      ? new Map()
      : await messagesOf(
          call,
          campaign,
          audience.map((user) => ({ id: user })),
        );
  const received = audience.filter((user) => found.has(user));
  if (received.length < stats.stats_users_sent && !accept)
    throw new CommandError(
      "conflict",
      `Campaign ${id} was sent to ${stats.stats_users_sent}, and its message is found with ${received.length}: who the others are cannot be proved.`,
      "--accept-duplicates sends it to everybody with whom it is not found",
    );
  const optedOut = new Set(readOptOuts(call.machine).map((one) => one.id));
  const exclusions: Record<string, string[]> = {};
  const people: string[] = [];
  for (const user of audience) {
    const existing = users.get(user);
    const exclusion = found.has(user)
      ? "received"
      : optedOut.has(user)
        ? "opted_out"
        : existing === undefined
          ? "unknown"
          : existing.deleted_at
            ? "deleted"
            : existing.deactivated_at && "deactivated";
    if (exclusion) (exclusions[exclusion] ??= []).push(user);
    else people.push(user);
  }
  return { received: received.length, people, exclusions, sender_since: users.get(sender)?.created_at ?? "" };
}

/** `states`: allowed states of the campaign. `fields` derives the fields of the new campaign. */
export async function followUp(
  call: StartCall,
  id: string,
  options: {
    states: readonly Campaign["status"][];
    accept: boolean;
    fields(campaign: Campaign): Promise<Partial<CampaignInput>>;
  },
): Promise<FollowUp> {
  const { begun } = readJournal(call.machine, id);
  if (begun?.mode === "messages")
    throw new CommandError(
      "conflict",
      `Campaign ${id} is sent by this program: start its file again to send it to the others.`,
      `parley campaign start ${begun.file} --mode messages`,
    );
  const { campaign } = await call.core.call("getCampaign", { path: { id }, query: { limit: 1 } });
  if (!options.states.includes(campaign.status))
    throw new CommandError(
      "conflict",
      `Campaign ${id} is ${campaign.status}, not ${options.states.join(" or ")}.`,
      `parley campaign watch ${id}`,
    );
  const remaining = await remainingAudience(call, campaign, options.accept);
  const result = { of: id, received: remaining.received, left: remaining.people.length };
  if (remaining.people.length === 0) return result;
  const next = await nextId(call, id);
  const fields = {
    ...(await options.fields(campaign)),
    segment_ids: [],
    id: next,
  } as unknown as CampaignInput & { id: string };
  const newCampaign = { fields, people: remaining.people, isNewId: true, start: {} };
  if (call.dry)
    return { ...result, campaign: await makeAndStart(call, { ...newCampaign, writeJournal: () => {} }) };
  const journal = new Journal(call.machine!, next, call.now);
  try {
    journal.begin({
      kind: "begun",
      mode: "campaign",
      hash: "",
      file: `what was left of ${id}`,
      by: journalAuthor(),
      sender: campaign.sender_id,
      sender_since: remaining.sender_since,
      audience: remaining.people,
      left: remaining.exclusions,
      counts: { wrong: 0, duplicates: 0 },
      guards: {},
    });
    return {
      ...result,
      campaign: await makeAndStart(call, {
        ...newCampaign,
        writeJournal: (entry, safe) => journal.write(entry, safe),
      }),
    };
  } finally {
    journal.close();
  }
}
