/** Who has read a message, as far as it is known: of the people in a big channel the provider tells only some. */
import { MEMBERS_ALL_LOADED_BELOW } from "../wire/constants.ts";
import type { Read } from "../wire/entities/channel.ts";
import type { Message } from "../wire/entities/message.ts";
import { compareTimes } from "../wire/time.ts";
import type { ChannelEntry } from "./state.ts";

/** Every member is held, and so is what each has read (R-MENT-4). */
export const holdsAllMembers = ({ memberCount }: Pick<ChannelEntry, "memberCount">): boolean =>
  memberCount < MEMBERS_ALL_LOADED_BELOW;

/** The newest moment up to which somebody else has read; "" for nobody. */
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

/** Others who have read it: how many, or in a big channel 1 for somebody. */
export function readersOf(
  message: Pick<Message, "created_at">,
  entry: Pick<ChannelEntry, "memberCount" | "read">,
  me: string,
): number {
  const { read } = entry;
  if (!holdsAllMembers(entry)) return compareTimes(newestRead(read, me), message.created_at) >= 0 ? 1 : 0;
  let readers = 0;
  for (const [id, { last_read }] of read)
    if (id !== me && compareTimes(last_read, message.created_at) >= 0) readers++;
  return readers;
}
