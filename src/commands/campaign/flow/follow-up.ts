/** Creates a follow-up campaign for people who provably have not received another one. */
import type { Campaign } from "../../../wire/entities/campaign.ts";
import type { CampaignInput } from "../../../wire/bodies/campaigns.ts";
import { CommandError } from "../../base/define-command.ts";
import type { FollowUp } from "../args/follow-up.ts";
import { readOptOuts } from "../receipts/campaign-folder.ts";
import { isOpen, nextIdOf } from "../receipts/family.ts";
import { Journal, journalAuthor, readProgress } from "../receipts/journal.ts";
import { withMarks } from "../receipts/marks.ts";
import { pendingRun, receptionOf, type Reception } from "../receipts/received.ts";
import { makeAndStart } from "./make-campaign.ts";
import type { StartCall } from "./start-file.ts";

/** Throws `CommandError` (conflict) while it is not settled who receives the campaign, or when it cannot be proved. */
function requireSettled({ id }: Campaign, reception: Reception, accept: boolean): void {
  const { family, byRun, audiences, unproved } = reception;
  const pending = pendingRun(family);
  if (pending)
    throw new CommandError(
      "conflict",
      `Campaign ${pending.id}${pending.id === id ? "" : `, which sends ${family.root} too,`} is ${pending.status}.`,
      `parley campaign watch ${pending.id}`,
    );
  if (accept || ![...(audiences.get(id) ?? [])].some((user) => unproved.has(user))) return;
  const sentOf = (run: Campaign): number | undefined =>
    (run.stats as Partial<Campaign["stats"]>).stats_users_sent;
  const short = family.runs.find(
    (run) => !isOpen(run) && (sentOf(run) ?? Infinity) > (byRun.get(run.id)?.size ?? 0),
  );
  throw new CommandError(
    "conflict",
    short === undefined
      ? `Campaign ${family.deleted.join(", ")} was started and is deleted: who has received it cannot be proved.`
      : `Campaign ${short.id} was sent to ${sentOf(short) ?? "an unknown number"}, and its message is found with ${byRun.get(short.id)?.size ?? 0}: who the others are cannot be proved.`,
    "--accept-duplicates sends it to everybody with whom it is not found",
  );
}

/** The people who are left, and why the others are left out. */
function remainingOf(
  call: StartCall,
  campaign: Campaign,
  { audiences, received, users }: Reception,
): { people: string[]; exclusions: Record<string, string[]> } {
  const optedOut = new Set(readOptOuts(call.machine).map((one) => one.id));
  const exclusions: Record<string, string[]> = {};
  const people: string[] = [];
  const exclusionOf = (id: string): string | undefined => {
    const user = users.get(id);
    if (received.has(id)) return "received";
    if (optedOut.has(id)) return "opted_out";
    if (user === undefined) return "unknown";
    if (user.deleted_at) return "deleted";
    return user.deactivated_at ? "deactivated" : undefined;
  };
  for (const id of audiences.get(campaign.id) ?? []) {
    const exclusion = exclusionOf(id);
    if (exclusion) (exclusions[exclusion] ??= []).push(id);
    else people.push(id);
  }
  return { people, exclusions };
}

/** The id of the next follow-up: one that a killed run has made and not started, else a new one. */
async function openId(
  call: StartCall,
  { family, byRun }: Reception,
): Promise<{ id: string; isNew: boolean }> {
  const made = family.runs.findLast((run) => run.id !== family.root && isOpen(run));
  if (!made) return { id: await nextIdOf(call, family, new Set(byRun.keys())), isNew: true };
  const { starting, started } = readProgress(call.machine, made.id);
  if (made.status !== "draft" || starting === undefined || started !== undefined)
    return { id: made.id, isNew: false };
  throw new CommandError(
    "unknown",
    `A start of campaign ${made.id} was sent at ${starting} and got no answer; the campaign is still a draft.`,
    `parley campaign get ${made.id}; when it stays a draft, parley campaign start ${made.id} sends it`,
  );
}

/** `fields` derives the fields of the new campaign. */
export async function followUp(
  call: StartCall,
  id: string,
  options: {
    accept: boolean;
    fields(campaign: Campaign): Promise<Partial<CampaignInput>>;
  },
): Promise<FollowUp> {
  const { campaign } = await call.core.call("getCampaign", { path: { id }, query: { limit: 1 } });
  if (campaign.status !== "completed" && campaign.status !== "stopped")
    throw new CommandError(
      "conflict",
      `Campaign ${id} is ${campaign.status}, not completed or stopped.`,
      `parley campaign watch ${id}`,
    );
  const reception = await receptionOf(call, id, campaign);
  requireSettled(campaign, reception, options.accept);
  const { people, exclusions } = remainingOf(call, campaign, reception);
  const result = { of: id, received: exclusions.received?.length ?? 0, left: people.length };
  if (people.length === 0) return result;
  const next = await openId(call, reception);
  const fields = { ...(await options.fields(campaign)), segment_ids: [], id: next.id };
  const newCampaign = {
    fields: withMarks(fields as unknown as CampaignInput & { id: string }, reception.family.root),
    people,
    isNewId: next.isNew,
    start: {},
  };
  if (call.dry)
    return { ...result, campaign: await makeAndStart(call, { ...newCampaign, writeJournal: () => {} }) };
  const journal = new Journal(call.machine!, next.id, call.now);
  try {
    journal.begin({
      kind: "begun",
      mode: "campaign",
      hash: "",
      file: `what was left of ${id}`,
      of: reception.family.root,
      by: journalAuthor(),
      sender: campaign.sender_id,
      sender_since: reception.users.get(campaign.sender_id)?.created_at ?? "",
      audience: people,
      left: exclusions,
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
