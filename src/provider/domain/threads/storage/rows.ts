/** Stored threads and participants, and which participants a reply does not notify. */
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import type { MessageRow } from "../../messages/storage/rows.ts";

/** Times are whole microseconds. */
export interface HeadRow {
  parent_id: string;
  cid: string;
  created_by: string;
  created_at: number;
  updated_at: number;
  last_message_at: number | null;
  title: string;
  data: string;
}

export interface ParticipantRow {
  parent_id: string;
  user_id: string;
  cid: string;
  created_at: number;
  written: number;
  unread: number;
  last_read: number;
  last_read_id: string | null;
  last_written: number | null;
  left_at: number | null;
}

export function findHead(db: Database, parentId: string): HeadRow | undefined {
  return db.get<HeadRow>("SELECT * FROM thread_heads WHERE parent_id = ?", parentId);
}

/** The thread of a message; 404 (code 16) when it has no reply. */
export function headRow(db: Database, parentId: string): HeadRow {
  const head = findHead(db, parentId);
  if (!head) throw ApiProblem.notFound(`Message ${parentId.slice(0, 255)} has no thread`);
  return head;
}

/** The participants of a thread; those who left come last, so that a short list shows the active ones. */
export function participantRows(db: Database, parentId: string, limit: number): ParticipantRow[] {
  return db.all<ParticipantRow>(
    `SELECT * FROM threads WHERE parent_id = ? ORDER BY left_at IS NOT NULL, created_at, user_id LIMIT ?`,
    parentId,
    limit,
  );
}

export function participantCounts(db: Database, parentId: string): { all: number; active: number } {
  return db.get<{ all: number; active: number }>(
    `SELECT count(*) AS "all", count(*) - count(left_at) AS active FROM threads WHERE parent_id = ?`,
    parentId,
  )!;
}

/** Participants who muted or blocked the author: the reply does not raise their unread count (TH-8). */
export function notNotified(
  db: Database,
  parent: MessageRow,
  authorId: string,
  mentioned: string[],
  now: number,
): string[] {
  const mutingIds = db.column<string>(
    `SELECT user_id FROM user_mutes WHERE target_id = ?1 AND (expires IS NULL OR expires > ?2)
     UNION SELECT user_id FROM blocks WHERE blocked_id = ?1`,
    authorId,
    now,
  );
  return mutingIds.filter(
    (id) =>
      id === parent.user_id || mentioned.includes(id) || findParticipant(db, parent.id, id) !== undefined,
  );
}

/** Leaves all threads of a channel; the participant rows are kept. */
export function leaveThreads(db: Database, cid: string, userId: string, now: number): void {
  db.run(
    "UPDATE threads SET unread = 0, left_at = ? WHERE cid = ? AND user_id = ? AND left_at IS NULL",
    now,
    cid,
    userId,
  );
}

export function findParticipant(db: Database, parentId: string, userId: string): ParticipantRow | undefined {
  return db.get<ParticipantRow>(
    "SELECT * FROM threads WHERE parent_id = ? AND user_id = ?",
    parentId,
    userId,
  );
}

export function otherParticipants(db: Database, parentId: string, exceptId: string): string[] {
  return db.column<string>(
    "SELECT user_id FROM threads WHERE parent_id = ? AND user_id <> ? AND left_at IS NULL",
    parentId,
    exceptId,
  );
}

/** Inserts a participant; an existing one stays as it is. */
export function insertParticipant(
  db: Database,
  row: Pick<ParticipantRow, "parent_id" | "user_id" | "cid" | "created_at" | "last_read">,
): void {
  db.run(
    `INSERT INTO threads (parent_id, user_id, cid, created_at, last_read)
     VALUES (:parent_id, :user_id, :cid, :created_at, :last_read) ON CONFLICT DO NOTHING`,
    row,
  );
}

export function returnToThread(db: Database, parentId: string, userId: string): void {
  db.run(
    "UPDATE threads SET left_at = NULL WHERE parent_id = ? AND user_id = ? AND left_at IS NOT NULL",
    parentId,
    userId,
  );
}

/** Counts a reply for its author, who has thereby read the thread. */
export function countOwnReply(db: Database, reply: MessageRow): void {
  db.run(
    `UPDATE threads SET written = written + 1, unread = 0, last_read = :created_at, last_read_id = :id,
     last_written = :created_at WHERE parent_id = :parent_id AND user_id = :user_id`,
    reply,
  );
}

/** Raises the unread count of the participants who may see the reply, except its author and those it does not notify. */
export function raiseThreadUnread(db: Database, reply: MessageRow, notNotifiedIds: readonly string[]): void {
  db.run(
    `UPDATE threads SET unread = unread + 1 WHERE parent_id = :parent_id AND user_id <> :user_id AND left_at IS NULL
     AND user_id NOT IN (SELECT value FROM json_each(:notNotifiedIds))
     AND (:restricted IS NULL OR user_id IN (SELECT value FROM json_each(:restricted)))`,
    { ...reply, notNotifiedIds: JSON.stringify(notNotifiedIds) },
  );
}

export function setThreadRead(
  db: Database,
  row: Pick<ParticipantRow, "parent_id" | "user_id" | "unread" | "last_read" | "last_read_id">,
): void {
  db.run(
    `UPDATE threads SET unread = :unread, last_read = :last_read, last_read_id = :last_read_id
     WHERE parent_id = :parent_id AND user_id = :user_id`,
    row,
  );
}

/** Threads with unread replies of the user, latest read first. */
export function unreadThreadRows(db: Database, userId: string, limit: number): ParticipantRow[] {
  return db.all<ParticipantRow>(
    "SELECT * FROM threads WHERE user_id = ? AND unread > 0 ORDER BY last_read DESC LIMIT ?",
    userId,
    limit,
  );
}

/** Threads of a channel that the user takes part in, newest first. */
export function headsOfUser(db: Database, userId: string, cid: string, limit: number): HeadRow[] {
  return db.all<HeadRow>(
    `SELECT h.* FROM thread_heads h JOIN threads t ON t.parent_id = h.parent_id AND t.user_id = ? AND t.left_at IS NULL
     WHERE h.cid = ? ORDER BY h.last_message_at DESC LIMIT ?`,
    userId,
    cid,
    limit,
  );
}

/** `data`: JSON of the custom fields. */
export function storeHead(
  db: Database,
  head: Pick<HeadRow, "parent_id" | "title" | "data" | "updated_at">,
): void {
  db.run(
    "UPDATE thread_heads SET title = :title, data = :data, updated_at = :updated_at WHERE parent_id = :parent_id",
    head,
  );
}

/** Marks all threads of a channel as read for the user. */
export function clearThreadsOfUser(db: Database, cid: string, userId: string): void {
  db.run("UPDATE threads SET unread = 0 WHERE cid = ? AND user_id = ?", cid, userId);
}

/** The same for threads the user had last read up to a time. */
export function clearThreadsUpTo(db: Database, cid: string, userId: string, upTo: number): void {
  db.run("UPDATE threads SET unread = 0 WHERE cid = ? AND user_id = ? AND last_read <= ?", cid, userId, upTo);
}

/** Adds `delta` to the number of replies that a participant wrote. */
export function addToReplyCount(db: Database, parentId: string, userId: string, delta: number): void {
  db.run(
    "UPDATE threads SET written = written + ? WHERE parent_id = ? AND user_id = ?",
    delta,
    parentId,
    userId,
  );
}

/** Lowers the unread count of participants who had not read a deleted reply and were notified of it. */
export function lowerThreadUnread(db: Database, reply: MessageRow, notNotifiedIds: readonly string[]): void {
  db.run(
    `UPDATE threads SET unread = unread - 1 WHERE parent_id = :parent_id AND user_id <> :user_id AND unread > 0
     AND last_read < :created_at AND user_id NOT IN (SELECT value FROM json_each(:notNotifiedIds))
     AND (:restricted IS NULL OR user_id IN (SELECT value FROM json_each(:restricted)))`,
    { ...reply, notNotifiedIds: JSON.stringify(notNotifiedIds) },
  );
}

export function removeParticipants(db: Database, parentId: string): void {
  db.run("DELETE FROM threads WHERE parent_id = ?", parentId);
}

/** The users who wrote replies to each of these messages, in the order they joined. */
export function writersUnder(db: Database, parentIds: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { parent_id, user_id } of db.all<Pick<ParticipantRow, "parent_id" | "user_id">>(
    `SELECT parent_id, user_id FROM threads WHERE parent_id IN (SELECT value FROM json_each(?)) AND written > 0
     ORDER BY parent_id, created_at, user_id`,
    JSON.stringify(parentIds),
  ))
    found.set(parent_id, [...(found.get(parent_id) ?? []), user_id]);
  return found;
}

/** Replies and their writers that a user may not see, by parent message. */
export interface HiddenReplies {
  count: number;
  /** Those who wrote nothing else in the thread. */
  writers: ReadonlySet<string>;
}

const OPEN_TO = `(m.restricted IS NULL OR m.user_id = :viewer
  OR EXISTS (SELECT 1 FROM json_each(m.restricted) v WHERE v.value = :viewer))`;

/** The replies for some under each of these messages that the viewer is not among; without a viewer all of them. */
export function hiddenReplies(
  db: Database,
  parentIds: readonly string[],
  viewer = "",
): Map<string, HiddenReplies> {
  const found = new Map<string, HiddenReplies>();
  const counts = db.all<{ parent_id: string; count: number }>(
    `SELECT m.parent_id, count(*) AS count FROM messages m
     WHERE m.parent_id IN (SELECT value FROM json_each(:parents)) AND m.restricted IS NOT NULL AND m.shadowed = 0
     AND m.type <> 'deleted' AND NOT ${OPEN_TO} GROUP BY m.parent_id`,
    { parents: JSON.stringify(parentIds), viewer },
  );
  for (const { parent_id, count } of counts) {
    const writers = db.all<{ user_id: string }>(
      `SELECT m.user_id FROM messages m WHERE m.parent_id = :parent_id AND m.type <> 'deleted'
       GROUP BY m.user_id HAVING max(${OPEN_TO}) = 0`,
      { parent_id, viewer },
    );
    found.set(parent_id, { count, writers: new Set(writers.map(({ user_id }) => user_id)) });
  }
  return found;
}
