/** Compares loaded messages with the answers of a recovery: order of channels, overlaps, and deleted messages (D6, D7). */
import type { Message } from "../../wire/entities/message.ts";
import { compareTimes } from "../../wire/time.ts";
import type { ChannelEntry, HeldMessage, State } from "../../model/state.ts";
import { isDetached } from "../state/sets.ts";
import { isLocal } from "../../model/message-state.ts";

/** Loaded channels in the order of specification/realtime.md §7: the open one, pinned ones, then newest activity. */
export function recoveryOrder(state: State, openCid: string | undefined): string[] {
  const rank = (entry: ChannelEntry): number =>
    entry.cid === openCid ? 0 : entry.membership?.pinned_at ? 1 : 2;
  const activity = (entry: ChannelEntry): string => entry.channel.last_message_at ?? entry.channel.created_at;
  return [...state.channels.values()]
    .filter((entry) => !entry.unavailable)
    .toSorted((a, b) => rank(a) - rank(b) || compareTimes(activity(b), activity(a)))
    .map((entry) => entry.cid);
}

/** Whether a page contains a received message of the latest set: then nothing is missing between them. */
export function overlaps(entry: ChannelEntry | undefined, page: readonly Message[]): boolean {
  const held = entry?.sets.find((set) => set.isLatest)?.messages;
  if (!held) return false;
  return page.some((message) => {
    const found = held.at(held.indexOf(message.id));
    // Messages may be missing before an echo or a message that arrived alone.
    return found !== undefined && found.id === message.id && !isDetached(found, entry.detached);
  });
}

/** Whether the latest set has messages that a page could overlap. */
export const hasMessages = (entry: ChannelEntry | undefined): boolean => {
  for (const message of entry?.sets.find((set) => set.isLatest)?.messages ?? [])
    if (!isDetached(message, entry!.detached)) return true;
  return false;
};

/**
 * Messages that were loaded when the newest page was requested, are not older than it and not in it: hard deleted
 * meanwhile. The event log contains these deletes only if it reaches back to the last complete recovery (D7).
 */
export function findDeleted(
  before: ChannelEntry | undefined,
  page: readonly Message[],
  limit: number,
): HeldMessage[] {
  const held = before?.sets.find((set) => set.isLatest)?.messages;
  if (!held) return [];
  const ids = new Set(page.map(({ id }) => id));
  const isComplete = page.length < limit;
  return [...held].filter(
    (message) =>
      !ids.has(message.id) &&
      !isLocal(message) &&
      (isComplete || compareTimes(message.created_at, page[0]!.created_at) > 0),
  );
}
