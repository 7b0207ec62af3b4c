/** Sends a campaign by messages again, under an id of its own, to those who have not read it (specification/campaigns.md §12, WN-7). */
import { QUERY_CHANNELS_LIMIT } from "../../../wire/constants.ts";
import { NOT_FOUND } from "../../../wire/errors.ts";
import { compareTimes } from "../../../wire/time.ts";
import { CommandError } from "../../base/define-command.ts";
import { inGroups } from "../audience/people.ts";
import type { CampaignFile } from "../file/read.ts";
import { readJournal, readProgress, type JournalState } from "../receipts/journal.ts";
import type { StartCall } from "./start-file.ts";

/** The id of the next time: one that was begun and has not ended, else the first that is free. */
export function againId({ machine }: Pick<StartCall, "machine">, id: string): string {
  for (let n = 1; ; n++) {
    const next = n === 1 ? `${id}-again` : `${id}-again-${n}`;
    const { begun, ended } = readProgress(machine, next);
    if (begun === undefined || ended === undefined) return next;
  }
}

/** Person → when they have last read the channel of their message; those who never have are missing. */
async function lastReads(call: StartCall, { sent }: JournalState): Promise<Map<string, string>> {
  const personIn = new Map(Array.from(sent, ([person, { cid }]) => [cid, person]));
  const reads = new Map<string, string>();
  for (const part of inGroups([...personIn.keys()], QUERY_CHANNELS_LIMIT[1])) {
    call.signal.throwIfAborted();
    const filter_conditions = { cid: { $in: part } };
    const body = { filter_conditions, limit: part.length, state: true, watch: false, message_limit: 1 };
    for (const { channel, read = [] } of (await call.core.call("queryChannels", { body })).channels) {
      const person = personIn.get(channel.cid);
      const own = read.find(({ user }) => user.id === person);
      if (person !== undefined && own) reads.set(person, own.last_read);
    }
  }
  return reads;
}

/** When the provider stored a message; undefined for one that is gone, which nobody can read any more. */
async function storedAt({ core }: StartCall, id: string): Promise<string | undefined> {
  try {
    const { message } = await core.call("getMessage", { path: { id } });
    return message.deleted_at ? undefined : message.created_at;
  } catch (error) {
    if ((error as { code?: unknown }).code === NOT_FOUND) return undefined;
    throw error;
  }
}

/** Those whom a campaign has reached and who have not read it, as the read state of their direct channel says. */
async function unreadOf(call: StartCall, journal: JournalState): Promise<Set<string>> {
  const reads = await lastReads(call, journal);
  const unread = new Set<string>();
  let looked = 0;
  for (const [person, { message }] of journal.sent) {
    const stored = await storedAt(call, message);
    if (stored !== undefined && compareTimes(reads.get(person), stored) < 0) unread.add(person);
    call.progress(++looked, journal.sent.size, "people");
  }
  return unread;
}

/** The file for those who have not read campaign `of`. Throws `CommandError` (conflict) when there is nobody, or it was not sent from here. */
export async function onlyUnread(call: StartCall, file: CampaignFile, of: string): Promise<CampaignFile> {
  const journal = readJournal(call.machine, of);
  if (journal.begun?.mode !== "messages" || journal.sent.size === 0)
    throw new CommandError(
      "conflict",
      `This machine has sent campaign ${of} to nobody by messages, so who has read it is not known.`,
    );
  const unread = await unreadOf(call, journal);
  if (unread.size === 0)
    throw new CommandError(
      "conflict",
      `All ${journal.sent.size} whom campaign ${of} has reached have read it.`,
    );
  const { expect: _expect, ...guards } = file.guards;
  return { ...file, guards, only: unread };
}
