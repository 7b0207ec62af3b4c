/** Participants of threads, their unread counts, and the events of a reply (specification/threads.md §5–6). */
import type { Message } from "../../../../wire/entities/message.ts";
import type { User } from "../../../../wire/entities/user.ts";
import type { RouteCall } from "../../../base/handler.ts";
import type { Outgoing } from "../../../base/emit.ts";
import { channelView } from "../../channels/view/channels.ts";
import { publishMessage } from "../../messages/view/audience.ts";
import { notNotifiedBy, type MessageData, type MessageRow } from "../../messages/storage/rows.ts";
import { messageView } from "../../messages/view/messages.ts";
import { type ViewContext } from "../../users/view/view-context.ts";
import type { Permissions } from "../../access/view/policy.ts";
import { unreadThreadMessages, unreadThreads } from "../../reads/storage/unread.ts";
import { isMember } from "../../channels/storage/rows.ts";
import { moveReplyCounts } from "../../messages/storage/change.ts";
import {
  otherParticipants,
  insertParticipant,
  returnToThread,
  countOwnReply,
  raiseThreadUnread,
} from "../storage/rows.ts";

/** Counts a reply on its parent and the participants (TH-7, TH-8). Returns the changed parent. */
export function addReply(
  call: RouteCall,
  permissions: Permissions,
  parent: MessageRow,
  reply: MessageRow,
  mentioned: string[],
): MessageRow {
  const { db } = call;
  const { cid } = permissions.channel;
  moveReplyCounts(db, parent.id, 1, 0);
  const join = (userId: string, lastRead: number): void =>
    insertParticipant(db, {
      parent_id: parent.id,
      user_id: userId,
      cid,
      created_at: reply.created_at,
      last_read: lastRead,
    });
  // The author of the parent becomes a participant with the first reply, mentioned users only if they are members.
  join(parent.user_id, parent.created_at);
  join(reply.user_id, reply.created_at);
  for (const id of mentioned.filter((userId) => isMember(db, cid, userId))) join(id, reply.created_at - 1);
  // Replying returns its author to the thread; a user who left the channel may still be allowed to write.
  returnToThread(db, parent.id, reply.user_id);
  countOwnReply(db, reply);
  if (!reply.silent) raiseThreadUnread(db, reply, notNotifiedBy(JSON.parse(reply.data) as MessageData));
  return { ...parent, reply_count: parent.reply_count + 1 };
}

/** The thread keys in `message.new` of a reply, and the current parent. */
interface ThreadUpdate {
  parent: MessageRow;
  view: Message;
  keys: { parent_author: string; thread_participants: User[] };
}

export function threadUpdate(context: ViewContext, parent: MessageRow): ThreadUpdate {
  const view = messageView(context, parent);
  return {
    parent,
    view,
    keys: { parent_author: parent.user_id, thread_participants: view.thread_participants ?? [] },
  };
}

/** Emits, after the reply's own event, the notification for participants who are not watching, and the parent's new reply count for watchers. */
export function publishThread(
  call: RouteCall,
  permissions: Permissions,
  context: ViewContext,
  reply: MessageRow,
  view: Message,
  thread: ThreadUpdate,
  only: ReadonlySet<string> | undefined,
): void {
  const { db, emit } = call;
  const { cid } = permissions.channel;
  const { parent } = thread;
  let base: Outgoing | undefined;
  for (const user_id of otherParticipants(db, parent.id, reply.user_id)) {
    if (only && !only.has(user_id)) continue;
    if (!emit.online(user_id)) continue;
    base ??= {
      type: "notification.thread_message_new",
      user: view.user,
      message: view,
      message_id: reply.id,
      channel: channelView(context.people, permissions.channel),
      thread_id: parent.id,
      watcher_count: emit.watcherInfo(cid).count,
      ...thread.keys,
    };
    emit.user(
      user_id,
      {
        ...base,
        unread_threads: unreadThreads(db, user_id),
        unread_thread_messages: unreadThreadMessages(db, user_id),
      },
      { cid, unlessWatching: true },
    );
  }
  const about = { cause: reply, message: thread.view };
  publishMessage(call, context, "message.updated", parent, reply.user_id, {}, about);
}
