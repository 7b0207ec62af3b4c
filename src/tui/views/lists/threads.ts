/** Own threads as entries: first message and newest reply, unread ones first. */
import type { HeldThread } from "../../../core/lists/held-thread.ts";
import { cidTitle } from "../../../model/channels.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { Snapshot } from "../../screen/store.ts";
import { saidIn, type ListEntry } from "./entry.ts";

/** A title that somebody gave: until then it is how the first message begins. */
function ownTitle({ title = "", parent_message }: HeldThread): string {
  return parent_message?.text.startsWith(title) ? "" : cleanLine(title);
}

export function threadEntries({ state, lists }: Pick<Snapshot, "state" | "lists">): ListEntry[] {
  const me = state.me?.id;
  return lists.threads.threads.map((thread): ListEntry => {
    const { parent_message_id, channel_cid, parent_message, last_message_at, unread } = thread;
    const title = ownTitle(thread);
    const reply = thread.latest_replies.at(-1);
    const said = [
      ...(title ? [{ text: title }] : parent_message ? [saidIn(parent_message, me)] : []),
      ...(reply ? [saidIn(reply, me)] : []),
    ];
    return {
      key: parent_message_id,
      where: cidTitle(state, channel_cid),
      ...(last_message_at !== undefined && { at: timeToMs(last_message_at) }),
      fresh: unread,
      said,
      place: { cid: channel_cid, parentId: parent_message_id },
    };
  });
}
