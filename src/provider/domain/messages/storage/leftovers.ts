/** What older versions left of deleted content in the file itself; removed once, in steps. */
import type { Database } from "../../../base/database.ts";

/** `copies`: stored texts; `files`: uses of uploaded files; `index`: words of deleted messages; `pages`: freed pages of the file. */
export type Leftover = "copies" | "files" | "index" | "pages";

export const leftoversSchema = `
CREATE TABLE IF NOT EXISTS blank_pages (n INTEGER PRIMARY KEY, zeros BLOB NOT NULL) STRICT;
INSERT INTO erasures (kind, id) SELECT 'upgrade', 'index' WHERE EXISTS (SELECT 1 FROM message_rows) ON CONFLICT DO NOTHING;
INSERT INTO erasures (kind, id) SELECT 'upgrade', 'pages' WHERE EXISTS (SELECT 1 FROM message_rows) ON CONFLICT DO NOTHING;
`;

const totalChanges = (db: Database): number => db.value<number>("SELECT total_changes()")!;

/** Merges a few pages of the search index, which drops the words of deleted messages; true when nothing is left to merge. */
export function mergeIndex(db: Database, begins: boolean): boolean {
  const before = totalChanges(db);
  // A negative number takes all parts of the index together.
  db.run("INSERT INTO search_index (search_index, rank) VALUES ('merge', ?)", begins ? -64 : 64);
  return totalChanges(db) - before < 2;
}

const freePages = (db: Database): number =>
  db.value<number>("SELECT freelist_count FROM pragma_freelist_count")!;

/** Takes at most `limit` free pages into use, a row of zeros each; true when no page is free any more. */
export function fillFreePages(db: Database, limit: number): boolean {
  const free = Math.min(freePages(db), limit);
  if (free > 0)
    db.run(
      `INSERT INTO blank_pages (zeros) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       SELECT zeroblob(4000) FROM n`,
      free,
    );
  return freePages(db) === 0;
}

/** Frees at most `limit` of these pages again; true when none is left. */
export function emptyBlankPages(db: Database, limit: number): boolean {
  const { changes } = db.run("DELETE FROM blank_pages WHERE n IN (SELECT n FROM blank_pages LIMIT ?)", limit);
  return Number(changes) < limit;
}
