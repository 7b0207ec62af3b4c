/** Threads: who takes part, what each has not read, and what a reply tells them (specification/threads.md §5–6). */
import type { Message } from "../../../../wire/message.ts";
import type { User } from "../../../../wire/user.ts";
import type { RouteCall } from "../../../base/handler.ts";
import type { Outgoing } from "../../../realtime/emit.ts";
import { channelView } from "../../channels/view/channels.ts";
import { visibleTo } from "../../messages/view/audience.ts";
import type { MessageData, MessageRow } from "../../messages/storage/rows.ts";
import { messageView, type Looking } from "../../messages/view/messages.ts";
import type { Permissions } from "../../access/view/policy.ts";
import { unreadThreadMessages, unreadThreads } from "../../reads/storage/unread.ts";

const JOIN = `INSERT INTO threads (parent_id, user_id, cid, created_at, last_read) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT DO NOTHING`;

/** Counts the reply on its parent and on the participants (TH-7, TH-8). Answers the changed parent. */
export function addReply(
  call: RouteCall,
  s: Permissions,
  parent: MessageRow,
  reply: MessageRow,
  mentioned: string[],
): MessageRow {
  const { db } = call;
  const { cid } = s.channel;
  db.run("UPDATE message_rows SET reply_count = reply_count + 1 WHERE id = ?", parent.id);
  const back =
    "UPDATE threads SET left_at = NULL WHERE parent_id = ? AND user_id = ? AND left_at IS NOT NULL";
  // the starter takes part from the first reply on; mentioned people only when they are members
  db.run(JOIN, parent.id, parent.user_id, cid, reply.created_at, parent.created_at);
  db.run(JOIN, parent.id, reply.user_id, cid, reply.created_at, reply.created_at);
  for (const id of mentioned)
    if (db.get("SELECT 1 FROM members WHERE cid = ? AND user_id = ?", cid, id))
      db.run(JOIN, parent.id, id, cid, reply.created_at, reply.created_at - 1);
  for (const id of [reply.user_id, ...mentioned])
    if (id === reply.user_id || db.get("SELECT 1 FROM members WHERE cid = ? AND user_id = ?", cid, id))
      db.run(back, parent.id, id);
  db.run(
    `UPDATE threads SET written = written + 1, unread = 0, last_read = ?1, last_read_id = ?2, last_written = ?1
     WHERE parent_id = ?3 AND user_id = ?4`,
    reply.created_at,
    reply.id,
    parent.id,
    reply.user_id,
  );
  if (!reply.silent)
    db.run(
      `UPDATE threads SET unread = unread + 1 WHERE parent_id = ?1 AND user_id <> ?2 AND left_at IS NULL
       AND user_id NOT IN (SELECT value FROM json_each(?4))
       AND (?3 IS NULL OR user_id IN (SELECT value FROM json_each(?3)))`,
      parent.id,
      reply.user_id,
      reply.restricted,
      JSON.stringify((JSON.parse(reply.data) as MessageData).undisturbed ?? []),
    );
  return { ...parent, reply_count: parent.reply_count + 1 };
}

interface Participant {
  user_id: string;
}

/** What `message.new` of a reply says about its thread, and the parent as it is now. */
interface ThreadNews {
  parent: MessageRow;
  view: Message;
  keys: { parent_author: string; thread_participants: User[] };
}

export function threadNews(at: Looking, parent: MessageRow): ThreadNews {
  const view = messageView(at, parent);
  return {
    parent,
    view,
    keys: { parent_author: parent.user_id, thread_participants: view.thread_participants ?? [] },
  };
}

/** After the reply itself: news for participants who are not watching, then the parent's new counter for watchers. */
export function publishThread(
  call: RouteCall,
  s: Permissions,
  at: Looking,
  reply: MessageRow,
  view: Message,
  news: ThreadNews,
  only: ReadonlySet<string> | undefined,
): void {
  const { db, emit } = call;
  const { cid } = s.channel;
  const { parent } = news;
  const others = db.all<Participant>(
    "SELECT user_id FROM threads WHERE parent_id = ? AND user_id <> ? AND left_at IS NULL",
    parent.id,
    reply.user_id,
  );
  let base: Outgoing | undefined;
  for (const { user_id } of others) {
    if (only && !only.has(user_id)) continue;
    if (!emit.online(user_id)) continue;
    base ??= {
      type: "notification.thread_message_new",
      user: view.user,
      message: view,
      message_id: reply.id,
      channel: channelView(at.people, s.channel),
      thread_id: parent.id,
      watcher_count: emit.watching(cid).count,
      ...news.keys,
    };
    emit.user(
      user_id,
      {
        ...base,
        unread_threads: unreadThreads(db, user_id),
        unread_thread_messages: unreadThreadMessages(db, user_id),
      },
      { cid, away: true },
    );
  }
  publishParent(call, s, at, parent, view.user, news.view);
}

/** `message.updated` of a parent whose reply count changed; `user` is who replied or deleted. */
export function publishParent(
  call: RouteCall,
  s: Permissions,
  at: Looking,
  parent: MessageRow,
  user: User,
  view = messageView(at, parent),
): void {
  const only = visibleTo(call, parent);
  call.emit.watchers(
    s.channel.cid,
    { type: "message.updated", user, message: view, message_id: parent.id },
    undefined,
    only,
  );
}
