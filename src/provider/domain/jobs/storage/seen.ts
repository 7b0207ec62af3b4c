/** What a job has met so far, kept in the database so that memory stays small and a restart loses nothing. */
import type { Database } from "../../../store/database.ts";

type SeenKind = "user" | "channel" | "message" | "parent" | "unread" | "later";

/** Once is enough: a key that is remembered already stays as it is. */
export function remember(db: Database, jobId: string, kind: SeenKind, key: string): void {
  db.run("INSERT OR IGNORE INTO job_seen (job_id, kind, key) VALUES (?, ?, ?)", jobId, kind, key);
}

export function isRemembered(db: Database, jobId: string, kind: SeenKind, key: string): boolean {
  return (
    db.get("SELECT 1 FROM job_seen WHERE job_id = ? AND kind = ? AND key = ?", jobId, kind, key) !== undefined
  );
}

/** Keys behind `after` in their order. */
export function rememberedPage(
  db: Database,
  jobId: string,
  kind: SeenKind,
  after: string,
  size: number,
): string[] {
  return db
    .all<{ key: string }>(
      "SELECT key FROM job_seen WHERE job_id = ? AND kind = ? AND key > ? ORDER BY key LIMIT ?",
      jobId,
      kind,
      after,
      size,
    )
    .map(({ key }) => key);
}

export function forget(db: Database, jobId: string): void {
  db.run("DELETE FROM job_seen WHERE job_id = ?", jobId);
}
