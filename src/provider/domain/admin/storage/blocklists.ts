/** Statements over blocklists. */
import type { Blocklist, BlocklistType } from "../../../../wire/entities/blocklist.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";
import { cachedByStamp } from "../../../store/cached-by-stamp.ts";
import { BLOCKLIST_STAMP } from "./schema.ts";

interface BlocklistRow {
  name: string;
  type: BlocklistType;
  words: string;
  created_at: number;
  updated_at: number;
}

/** All lists by name, at this point of the transaction. */
export const blocklistsOf: (db: Database) => ReadonlyMap<string, Blocklist> = cachedByStamp(
  BLOCKLIST_STAMP,
  (db) =>
    new Map(
      db.all<BlocklistRow>("SELECT * FROM blocklists ORDER BY name").map((row) => [
        row.name,
        {
          name: row.name,
          type: row.type,
          words: JSON.parse(row.words) as string[],
          created_at: timeFromMicros(row.created_at),
          updated_at: timeFromMicros(row.updated_at),
        },
      ]),
    ),
);

/** `words`: a JSON list. */
export function insertBlocklist(db: Database, list: Omit<BlocklistRow, "updated_at">): void {
  db.run(
    `INSERT INTO blocklists (name, type, words, created_at, updated_at)
     VALUES (:name, :type, :words, :created_at, :created_at)`,
    list,
  );
}

export function setWords(db: Database, name: string, words: string, now: number): void {
  db.run("UPDATE blocklists SET words = ?, updated_at = ? WHERE name = ?", words, now, name);
}

export function removeBlocklist(db: Database, name: string): void {
  db.run("DELETE FROM blocklists WHERE name = ?", name);
}
