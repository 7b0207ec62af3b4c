/** Lists unread channels: mentions, then direct messages, then others, each with its newest message. */
import { channelTitle, channelsWithUnread } from "../../../model/channels.ts";
import { latestSet } from "../../../model/select.ts";
import type { ChannelEntry, ClientMessage, State } from "../../../model/state.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { Snapshot } from "../../screen/store.ts";
import { messageLine, type ListEntry } from "./entry.ts";

/** The newest unread message that mentions the user, else the newest message. */
function newestUnread(state: State, { cid, unread, mentions }: ChannelEntry): ClientMessage | undefined {
  const messages = latestSet(state, { cid })?.messages;
  const me = state.me?.id;
  if (!messages) return undefined;
  const unreadMessages = messages.slice(Math.max(0, messages.length - Math.max(unread, 1)), messages.length);
  const mentioning = mentions
    ? unreadMessages.findLast(({ mentioned_users }) => mentioned_users.some(({ id }) => id === me))
    : undefined;
  return mentioning ?? unreadMessages.at(-1);
}

export function inboxEntries({ state, now }: Pick<Snapshot, "state" | "now">): ListEntry[] {
  const me = state.me?.id;
  return channelsWithUnread(state, now).map((entry): ListEntry => {
    const message = newestUnread(state, entry);
    const at = message?.created_at ?? entry.channel.last_message_at;
    return {
      key: entry.cid,
      title: channelTitle(entry, me),
      ...(at !== undefined && { at: timeToMs(at) }),
      newCount: entry.unread,
      mentions: entry.mentions,
      lines: message ? [messageLine(message, me)] : [],
      place: { cid: entry.cid },
    };
  });
}
