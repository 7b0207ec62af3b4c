/** Tells who has received a campaign, from it or any of its follow-ups (specification/campaigns.md §11). */
import type { Campaign } from "../../../wire/entities/campaign.ts";
import type { User } from "../../../wire/entities/user.ts";
import { CommandError, type Machine } from "../../base/define-command.ts";
import { fetchUsers, idsOfSegment, type AudienceCall } from "../audience/people.ts";
import { familyOf, isOpen, type Family } from "./family.ts";
import { readProgress, type JournalStart } from "./journal.ts";
import { ReceiptSearch, type Receipt, type SoughtRun } from "./receipt-search.ts";

export type ReceptionCall = AudienceCall & { machine?: Pick<Machine, "folder"> };

export interface Reception {
  family: Family;
  /** Everybody whom a run is or was for, and the senders. */
  users: ReadonlyMap<string, User>;
  /** Run → whom it is for, without its sender. */
  audiences: ReadonlyMap<string, ReadonlySet<string>>;
  /** Run → whom it has reached. */
  byRun: ReadonlyMap<string, ReadonlyMap<string, Receipt>>;
  /** Person → their first message, whichever run sent it. */
  received: ReadonlyMap<string, Receipt>;
  /** WH-4: person who has not received it → the run that is about to send it to them. */
  waiting: ReadonlyMap<string, string>;
  /** WH-5: people who may have received it: a run has reached more people than there are messages, or is deleted. */
  unproved: ReadonlySet<string>;
}

export const isForChannels = ({ segments }: Partial<Pick<Campaign, "segments">>): boolean =>
  segments?.some(({ type }) => type === "channel") === true;

/** The user ids a campaign is for. Throws `CommandError` (conflict) for a campaign to channels. */
export async function audienceOf(call: AudienceCall, campaign: Campaign): Promise<Set<string>> {
  const { user_ids = [], segments = [] }: Partial<Campaign> = campaign;
  if (isForChannels(campaign))
    throw new CommandError(
      "conflict",
      `Campaign ${campaign.id} is sent to channels: whom it reaches there is not listed.`,
      `parley campaign stats ${campaign.id}`,
    );
  const ids = new Set(user_ids);
  for (const segment of segments) {
    call.signal.throwIfAborted();
    for (const id of await idsOfSegment(call, segment)) ids.add(id);
  }
  return ids;
}

/** Whom a run is for: as the provider says now, and as this machine started it. */
async function peopleOf(call: ReceptionCall, run: Campaign): Promise<Set<string>> {
  const people = await audienceOf(call, run);
  const { begun, created } = readProgress(call.machine, run.id);
  if (created === run.created_at) for (const id of begun?.audience ?? []) people.add(id);
  people.delete(run.sender_id);
  return people;
}

const isPending = ({ status }: Campaign): boolean => status === "scheduled" || status === "in_progress";

/** Runs that this machine started at this provider, and that were deleted: the journal knows their audience. */
async function deletedRuns(call: ReceptionCall, family: Family): Promise<(JournalStart & { id: string })[]> {
  const begun = family.deleted.flatMap((id) => {
    const start = readProgress(call.machine, id).begun;
    return start?.mode === "campaign" ? [{ ...start, id }] : [];
  });
  const senders = await fetchUsers(
    { ...call, progress: () => {} },
    begun.map(({ sender }) => sender),
  );
  return begun.filter(({ sender, sender_since: since }) => senders.get(sender)?.created_at === since);
}

/** Who has received a campaign. The counts of the provider are read before the messages, so that a running campaign has no fewer. */
export async function receptionOf(call: ReceptionCall, id: string, known?: Campaign): Promise<Reception> {
  const family = await familyOf(call, id, known);
  const began = family.runs.filter((run) => !isOpen(run));
  const deleted = await deletedRuns(call, family);
  const audiences = new Map<string, Set<string>>();
  for (const run of family.runs) audiences.set(run.id, await peopleOf(call, run));
  const everybody = new Set(
    [...audiences.values(), ...deleted.map(({ audience }) => audience)].flatMap((ids) => [...ids]),
  );
  const senders = [...family.runs.map((run) => run.sender_id), ...deleted.map(({ sender }) => sender)];
  const users = await fetchUsers(call, [...new Set([...senders, ...everybody])]);
  const sought: SoughtRun[] = [
    ...began.map((run) => ({
      id: run.id,
      sender: run.sender_id,
      counted: run.stats.stats_users_sent,
      audience: audiences.get(run.id)!,
      fields: run,
    })),
    ...deleted.map((run) => ({ id: run.id, sender: run.sender, audience: new Set(run.audience) })),
  ];
  const search = new ReceiptSearch(call, {
    root: family.root,
    runs: sought,
    people: new Map(Array.from(everybody, (person) => [person, users.get(person)])),
    sender: users.get(senders[0]!),
  });
  if (sought.length > 0) await search.searchAll();
  return { family, users, audiences, byRun: search.found, ...resultsOf(family, sought, search.found) };
}

function resultsOf(
  { runs }: Family,
  sought: readonly SoughtRun[],
  byRun: Reception["byRun"],
): Pick<Reception, "received" | "waiting" | "unproved"> {
  const received = new Map<string, Receipt>();
  for (const found of byRun.values())
    for (const [person, receipt] of found) if (!received.has(person)) received.set(person, receipt);
  const waiting = new Map<string, string>();
  const unproved = new Set<string>();
  for (const { id, counted = Infinity, audience } of sought) {
    const run = runs.find((one) => one.id === id);
    const left = [...audience!].filter((person) => !received.has(person));
    if (run && isPending(run)) for (const person of left) waiting.set(person, id);
    else if ((byRun.get(id)?.size ?? 0) < counted) for (const person of left) unproved.add(person);
  }
  for (const person of waiting.keys()) unproved.delete(person);
  return { received, waiting, unproved };
}

/** Whether a completed run has reached everybody whom it is for, by its numbers alone; only of audiences that were fixed before it began. */
export function reachedAll(run: Campaign, audience: ReadonlySet<string>): boolean {
  const { status, stats, segments = [] } = run;
  const started = stats.stats_started_at ?? "";
  const isFixed = segments.every(
    ({ filter, all_users: all, updated_at: at }) => !filter && !all && at <= started,
  );
  return status === "completed" && isFixed && stats.stats_users_sent >= audience.size;
}

/** The run that is about to send, if any. */
export const pendingRun = ({ runs }: Family): Campaign | undefined => runs.find(isPending);
