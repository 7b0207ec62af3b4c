/** Compares loaded messages with a recovery's answers: the order of channels, whether a page meets what is loaded, and which messages are gone (D6, D7). */
import type { Message } from "../../wire/entities/message.ts";
import { compareTimes } from "../../wire/time.ts";
import type { ChannelEntry, HeldMessage, State } from "../../model/state.ts";
import { isDetached } from "../state/sets.ts";
import { isLocal } from "../../model/message-state.ts";

/** Held channels in the order of specification/realtime.md §7: the open one, pinned ones, then newest activity. */
export function recoveryOrder(state: State, openCid: string | undefined): string[] {
  const rank = (entry: ChannelEntry): number =>
    entry.cid === openCid ? 0 : entry.membership?.pinned_at ? 1 : 2;
  const activity = (entry: ChannelEntry): string => entry.channel.last_message_at ?? entry.channel.created_at;
  return [...state.channels.values()]
    .filter((entry) => !entry.unavailable)
    .toSorted((a, b) => rank(a) - rank(b) || compareTimes(activity(b), activity(a)))
    .map((entry) => entry.cid);
}

/** Whether a page holds a message that the latest set has from the provider: then nothing is missing between them. */
export function overlaps(entry: ChannelEntry | undefined, page: readonly Message[]): boolean {
  const held = entry?.sets.find((set) => set.isLatest)?.messages;
  if (!held) return false;
  return page.some((message) => {
    const found = held.at(held.indexOf(message.id));
    // An own message still marked sending, or one that came alone, says nothing about what came before it.
    return found !== undefined && found.id === message.id && !isDetached(found, entry.detached);
  });
}

/** Whether the latest set holds messages that a page could meet. */
export const hasMessages = (entry: ChannelEntry | undefined): boolean => {
  for (const message of entry?.sets.find((set) => set.isLatest)?.messages ?? [])
    if (!isDetached(message, entry!.detached)) return true;
  return false;
};

/**
 * Messages that were held when the newest page was asked for, are not older than it and are not in it: deleted for good
 * meanwhile. The log tells of them only where it reaches back to the last complete recovery (D7).
 */
export function deletedMeanwhile(
  asked: ChannelEntry | undefined,
  page: readonly Message[],
  limit: number,
): HeldMessage[] {
  const held = asked?.sets.find((set) => set.isLatest)?.messages;
  if (!held) return [];
  const there = new Set(page.map(({ id }) => id));
  const whole = page.length < limit;
  return [...held].filter(
    (message) =>
      !there.has(message.id) &&
      !isLocal(message) &&
      (whole || compareTimes(message.created_at, page[0]!.created_at) > 0),
  );
}
