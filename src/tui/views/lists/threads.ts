/** Lists the user's threads with first message and newest reply, unread ones first. */
import type { HeldThread } from "../../../core/lists/held-thread.ts";
import { cidTitle } from "../../../model/channels.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { Snapshot } from "../../screen/store.ts";
import { messageLine, type ListEntry } from "./entry.ts";

/** A title given by a user; the provider's default, the start of the first message, does not count. */
function ownTitle({ title = "", parent_message }: HeldThread): string {
  return parent_message?.text.startsWith(title) ? "" : cleanLine(title);
}

export function threadEntries({ state, lists }: Pick<Snapshot, "state" | "lists">): ListEntry[] {
  const me = state.me?.id;
  return lists.threads.threads.map((thread): ListEntry => {
    const { parent_message_id, channel_cid, parent_message, last_message_at, unread } = thread;
    const title = ownTitle(thread);
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
