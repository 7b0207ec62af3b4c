/** The user's threads with first message and newest reply, unread ones first. */
import { cidTitle } from "../../../model/channels.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { Ports } from "../../ports/ports.ts";
import { attempt } from "../../screen/notices.ts";
import { messageLine, type ListEntry } from "./entry.ts";
import { markAll, markOne } from "./mark-read.ts";
import { openThreadOverList } from "./open-entry.ts";
import { userList, type EntryInput } from "./user-list.ts";

export function threadEntries({ state, lists }: Pick<EntryInput, "state" | "lists">): ListEntry[] {
  const me = state.me?.id;
  return lists.threads.threads.map((thread): ListEntry => {
    const { parent_message_id, channel_cid, parent_message, last_message_at, unread } = thread;
    const title = cleanLine(thread.title ?? "");
    const reply = thread.latest_replies.at(-1);
    const lines = [
      ...(title ? [{ text: title }] : parent_message ? [messageLine(parent_message, me)] : []),
      ...(reply ? [messageLine(reply, me)] : []),
    ];
    return {
      key: parent_message_id,
      title: cidTitle(state, channel_cid),
      ...(last_message_at !== undefined && { at: timeToMs(last_message_at) }),
      newCount: unread,
      lines,
      place: { cid: channel_cid, parentId: parent_message_id },
    };
  });
}

/** Loads pages until the last thread is a read one: the provider sorts unread threads first. */
async function markAllRead(ports: Ports): Promise<void> {
  const { threads } = ports.core;
  while (threads.state().threads.at(-1)?.unread && (await threads.more()));
  ports.store.update((s) => s);
  markAll(ports, "threads", threadEntries(ports.store.get()));
}

export const threads = userList({
  name: "threads",
  show: { title: "Threads you take part in, unread first", keywords: "conversations", former: "threads" },
  entries: threadEntries,
  /** The provider's total until the list is loaded (R-READ-8), and while further unread threads may be on the next page. */
  count({ state, lists: { threads: list } }) {
    const loaded = list.threads.filter(({ unread }) => unread > 0).length;
    if (!list.loaded) return state.totals.threads;
    const mayBeMore = list.next !== undefined && loaded === list.threads.length;
    return mayBeMore ? Math.max(loaded, state.totals.threads) : loaded;
  },
  source: { state: (lists) => lists.threads, of: (core) => core.threads },
  open: (ports, { place: { cid, parentId } }) =>
    openThreadOverList(ports, { cid, parentId: parentId! }, "panel"),
  clear: { hint: "read", appliesTo: ({ newCount }) => newCount > 0, run: markOne("threads") },
  readAll: (ports) => attempt(ports, markAllRead(ports)),
  acrossChannels: true,
});
