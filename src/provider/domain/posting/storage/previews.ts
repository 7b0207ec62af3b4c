/** Stored previews of commands, until a button is pressed or they expire. */
import type { Database } from "../../../base/database.ts";

export interface PreviewRow {
  id: string;
  cid: string;
  user_id: string;
  created_at: number;
  expires: number;
  turn: number;
  data: string;
}

export function findPreview(db: Database, id: string, now: number): PreviewRow | undefined {
  return db.get<PreviewRow>("SELECT * FROM previews WHERE id = ? AND expires > ?", id, now);
}

/** Inserts or replaces a preview, starting with the first GIF. */
export function storePreview(db: Database, preview: Omit<PreviewRow, "turn">): PreviewRow {
  return db.get<PreviewRow>(
    `INSERT INTO previews (id, cid, user_id, created_at, expires, data)
     VALUES (:id, :cid, :user_id, :created_at, :expires, :data)
     ON CONFLICT DO UPDATE SET cid = excluded.cid, user_id = excluded.user_id, created_at = excluded.created_at,
       expires = excluded.expires, turn = 0, data = excluded.data RETURNING *`,
    preview,
  )!;
}

export function shufflePreview(db: Database, id: string): PreviewRow {
  return db.get<PreviewRow>("UPDATE previews SET turn = turn + 1 WHERE id = ? RETURNING *", id)!;
}

export function removePreview(db: Database, id: string): void {
  db.run("DELETE FROM previews WHERE id = ?", id);
}

export function removeExpiredPreviews(db: Database, now: number): void {
  db.run("DELETE FROM previews WHERE expires <= ?", now);
}

export function firstPreviewEnd(db: Database): number | undefined {
  return db.value<number>("SELECT min(expires) FROM previews");
}
