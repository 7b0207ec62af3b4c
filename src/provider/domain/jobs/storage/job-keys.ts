/** The keys that a job has come across until it ends, stored so that memory stays small and a restart loses nothing. */
import type { Database } from "../../../base/database.ts";
import { table, TEXT } from "../../../store/table.ts";

type KeyKind = "user" | "device" | "channel" | "message" | "parent" | "unread" | "later";

export const jobKeys = table("job_seen", { job_id: TEXT.key, kind: TEXT.as<KeyKind>().key, key: TEXT.key });

export const storeJobKey = (db: Database, job_id: string, kind: KeyKind, key: string): boolean =>
  jobKeys.add(db, { job_id, kind, key });

export const hasJobKey = (db: Database, job_id: string, kind: KeyKind, key: string): boolean =>
  jobKeys.has(db, { job_id, kind, key });

/** The next keys after `after`, sorted. */
export const jobKeyPage = (
  db: Database,
  job_id: string,
  kind: KeyKind,
  after: string,
  limit: number,
): string[] => jobKeys.values(db, "key", { job_id, kind, key: { after } }, { by: ["key"], limit });

/** Users whose read state of the channel is in the file. */
export function usersWithImportedRead(db: Database, jobId: string, cid: string): string[] {
  const key = { after: `${cid} `, before: `${cid}!` };
  return jobKeys
    .values(db, "key", { job_id: jobId, kind: "unread", key })
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
