/** The keys that a job has come across, stored so that memory stays small and a restart loses nothing. */
import type { Database } from "../../../base/database.ts";

type KeyKind = "user" | "device" | "channel" | "message" | "parent" | "unread" | "later";

export function storeJobKey(db: Database, jobId: string, kind: KeyKind, key: string): void {
  db.run("INSERT OR IGNORE INTO job_seen (job_id, kind, key) VALUES (?, ?, ?)", jobId, kind, key);
}

export function hasJobKey(db: Database, jobId: string, kind: KeyKind, key: string): boolean {
  return db.has("SELECT 1 FROM job_seen WHERE job_id = ? AND kind = ? AND key = ?", jobId, kind, key);
}

/** The next keys after `after`, sorted. */
export function jobKeyPage(
  db: Database,
  jobId: string,
  kind: KeyKind,
  after: string,
  size: number,
): string[] {
  return db.column<string>(
    "SELECT key FROM job_seen WHERE job_id = ? AND kind = ? AND key > ? ORDER BY key LIMIT ?",
    jobId,
    kind,
    after,
    size,
  );
}

export function removeJobKeys(db: Database, jobId: string): void {
  db.run("DELETE FROM job_seen WHERE job_id = ?", jobId);
}

export function removeJobKey(db: Database, jobId: string, kind: KeyKind, key: string): void {
  db.run("DELETE FROM job_seen WHERE job_id = ? AND kind = ? AND key = ?", jobId, kind, key);
}

/** Users whose read state of the channel is in the file. */
export function usersWithImportedRead(db: Database, jobId: string, cid: string): string[] {
  return db
    .column<string>(
      "SELECT key FROM job_seen WHERE job_id = ?1 AND kind = 'unread' AND key >= ?2 AND key < ?3",
      jobId,
      `${cid} `,
      `${cid}!`,
    )
    .map((key) => key.slice(cid.length + 1));
}

/** Members who count as having read a message newer than their read mark: those without a read state in the file. */
export function readersBeyondMark(
  db: Database,
  jobId: string,
  message: { cid: string; author: string; created: number },
): string[] {
  return db.column<string>(
    `SELECT user_id FROM reads WHERE cid = :cid AND last_read < :created AND user_id <> :author AND NOT EXISTS
       (SELECT 1 FROM job_seen s WHERE s.job_id = :jobId AND s.kind = 'unread' AND s.key = :cid || ' ' || user_id)`,
    { ...message, jobId },
  );
}
