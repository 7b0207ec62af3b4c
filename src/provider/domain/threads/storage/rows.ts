/** Rows of threads and their participants as they are stored, and who of them a reply does not disturb. */
import { ApiProblem, type RouteCall } from "../../../base/handler.ts";
import type { Database } from "../../../store/database.ts";
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

/** The thread under a message: 404 code 16 while it has no reply. */
export function headRow(db: Database, parentId: string): HeadRow {
  const head = findHead(db, parentId);
  if (!head) throw new ApiProblem(16, `Message ${parentId.slice(0, 255)} has no thread`);
  return head;
}

/** Those who left come last, so that a short list shows who is there. */
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

/** Users who muted or blocked the author: a reply of theirs to this thread raises nobody's number among them (TH-8). */
export function notNotified(
  call: RouteCall,
  parent: MessageRow,
  authorId: string,
  mentioned: string[],
  now: number,
): string[] {
  const away = call.db.all<{ user_id: string }>(
    `SELECT user_id FROM user_mutes WHERE target_id = ?1 AND (expires IS NULL OR expires > ?2)
     UNION SELECT user_id FROM blocks WHERE blocked_id = ?1`,
    authorId,
    now,
  );
  return away
    .map(({ user_id }) => user_id)
    .filter(
      (id) =>
        id === parent.user_id ||
        mentioned.includes(id) ||
        call.db.get("SELECT 1 FROM threads WHERE parent_id = ? AND user_id = ?", parent.id, id) !== undefined,
    );
}

/** Leaving a channel is leaving its threads; the participant stays known. */
export function leaveThreads(db: Database, cid: string, userId: string, now: number): void {
  db.run(
    "UPDATE threads SET unread = 0, left_at = ? WHERE cid = ? AND user_id = ? AND left_at IS NULL",
    now,
    cid,
    userId,
  );
}
