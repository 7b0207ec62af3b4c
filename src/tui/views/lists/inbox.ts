/** The Inbox: unread channels with their newest message, mentions first, then threads with new replies, then direct and other channels. */
import { channelTitle, channelsWithUnread, groupOf, isMuted } from "../../../model/channels.ts";
import { latestSet } from "../../../model/select.ts";
import type { ChannelEntry, ClientMessage, State } from "../../../model/state.ts";
import { timeToMs } from "../../../wire/time.ts";
import { messageLine, type ListEntry } from "./entry.ts";
import { markAll, markOne } from "./mark-read.ts";
import { openAtFirstUnread, openComposer, openThreadOverList } from "./open-entry.ts";
import { threadEntries } from "./threads.ts";
import { userList, type EntryInput } from "./user-list.ts";

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

/** Threads with unread replies, newest first; those of muted and archived channels are left out. */
function unreadThreads({ state, lists, now }: Pick<EntryInput, "state" | "lists" | "now">): ListEntry[] {
  return threadEntries({ state, lists }).filter(({ newCount, place: { cid } }) => {
    const entry = state.channels.get(cid);
    return newCount > 0 && !isMuted(state, cid, now) && !(entry && groupOf(entry) === "archived");
  });
}

const entries = (input: Pick<EntryInput, "state" | "lists" | "now">): ListEntry[] => {
  const channels = channelEntries(input);
  const mentions = channels.filter(({ mentions: n = 0 }) => n > 0);
  return [...mentions, ...unreadThreads(input), ...channels.filter(({ mentions: n = 0 }) => n === 0)];
};

const channelEntries = ({ state, now }: Pick<EntryInput, "state" | "now">): ListEntry[] =>
  channelsWithUnread(state, now).map((entry): ListEntry => {
    const me = state.me?.id;
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

export const inbox = userList({
  name: "inbox",
  show: {
    title: "Inbox: mentions, threads, direct and unread channels",
    keywords: "mark all read unread activity mentions",
    former: "inbox",
  },
  entries,
  count: (input) => channelsWithUnread(input.state, input.now).length + unreadThreads(input).length,
  open(ports, { place: { cid, parentId } }) {
    if (parentId === undefined) openAtFirstUnread(ports, cid);
    else openThreadOverList(ports, { cid, parentId }, "panel");
  },
  answer: openComposer,
  clear: { hint: "read", run: markOne("inbox") },
  readAll: (ports) => markAll(ports, "inbox", entries(ports.store.get())),
  acrossChannels: true,
});
