/** Unread channels as entries: mentions, then direct messages, then others, each with its newest message. */
import { channelTitle, waiting } from "../../../model/channels.ts";
import { latestSet } from "../../../model/select.ts";
import type { ChannelEntry, HeldMessage, State } from "../../../model/state.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { Snapshot } from "../../screen/store.ts";
import { saidIn, type ListEntry } from "./entry.ts";

/** The newest of what is unread that mentions the own user, where something does, else the newest message. */
function newest(state: State, { cid, unread, mentions }: ChannelEntry): HeldMessage | undefined {
  const messages = latestSet(state, { cid })?.messages;
  const me = state.me?.id;
  if (!messages) return undefined;
  const late = messages.slice(Math.max(0, messages.length - Math.max(unread, 1)), messages.length);
  const mentioning = mentions
    ? late.findLast(({ mentioned_users }) => mentioned_users.some(({ id }) => id === me))
    : undefined;
  return mentioning ?? late.at(-1);
}

export function inboxEntries({ state, now }: Pick<Snapshot, "state" | "now">): ListEntry[] {
  const me = state.me?.id;
  return waiting(state, now).map((entry): ListEntry => {
    const message = newest(state, entry);
    const at = message?.created_at ?? entry.channel.last_message_at;
    return {
      key: entry.cid,
      where: channelTitle(entry, me),
      ...(at !== undefined && { at: timeToMs(at) }),
      fresh: entry.unread,
      mentions: entry.mentions,
      said: message ? [saidIn(message, me)] : [],
      place: { cid: entry.cid },
    };
  });
}
