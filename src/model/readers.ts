/** Counts who has read a message; in big channels the provider reports only some readers. */
import { MEMBERS_ALL_LOADED_BELOW } from "../wire/constants.ts";
import type { Read } from "../wire/entities/channel.ts";
import type { Message } from "../wire/entities/message.ts";
import { compareTimes } from "../wire/time.ts";
import { isShownTo } from "./audience.ts";
import type { ChannelEntry } from "./state.ts";

/** Whether all members and their read states are loaded (R-MENT-4). */
export const holdsAllMembers = ({ memberCount }: Pick<ChannelEntry, "memberCount">): boolean =>
  memberCount < MEMBERS_ALL_LOADED_BELOW;

/** Cache: the latest read time of anybody else; "" if none. */
const newest = new WeakMap<ReadonlyMap<string, Read>, string>();

function newestRead(reads: ReadonlyMap<string, Read>, me: string): string {
  const known = newest.get(reads);
  if (known !== undefined) return known;
  let last = "";
  for (const [id, { last_read }] of reads)
    if (id !== me && compareTimes(last_read, last) > 0) last = last_read;
  newest.set(reads, last);
  return last;
}

/** How many others have read the message; in a big channel at most 1, for "somebody". */
export function readersOf(
  message: Pick<Message, "created_at"> & Partial<Pick<Message, "restricted_visibility">>,
  entry: Pick<ChannelEntry, "memberCount" | "read">,
  me: string,
): number {
  const { read } = entry;
  const isBig = !holdsAllMembers(entry);
  if (isBig && !message.restricted_visibility?.length)
    return compareTimes(newestRead(read, me), message.created_at) >= 0 ? 1 : 0;
  let readers = 0;
  for (const [id, { last_read }] of read)
    if (id !== me && isShownTo(message, id) && compareTimes(last_read, message.created_at) >= 0) readers++;
  return isBig ? Math.min(readers, 1) : readers;
}
