/** The file state.db: outbox, drafts, replaced drafts and named values; every write is durable (D1, D10). */
import { statSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { emptiedDatabase, openDamaged } from "../../model/files/damaged-database.ts";
import { withStoreFailure } from "../../model/files/storage.ts";
import { isOwnerAlive, thisOwner } from "../../model/files/owner.ts";
import { draftTable } from "./draft-table.ts";
import { moveAside, openFile } from "./file.ts";
import { firstSentTable, keyTable } from "./key-table.ts";
import { outboxTable } from "./outbox-table.ts";
import { Statements, type OpenFile } from "./statements.ts";
import { StoreFailure, type Store } from "./store.ts";

/** Files from before there were versions have these tables already. */
export const STATE_MIGRATIONS = [
  `
CREATE TABLE IF NOT EXISTS outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id TEXT NOT NULL,
  cid TEXT NOT NULL,
  action TEXT NOT NULL,
  state TEXT NOT NULL,
  tries INTEGER NOT NULL,
  owner TEXT NOT NULL,
  created_at REAL NOT NULL,
  not_before REAL,
  error TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS drafts (
  cid TEXT NOT NULL, parent_id TEXT NOT NULL, updated_at REAL NOT NULL, draft TEXT NOT NULL,
  PRIMARY KEY (cid, parent_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS draft_history (
  id INTEGER PRIMARY KEY, cid TEXT NOT NULL, parent_id TEXT NOT NULL, updated_at REAL NOT NULL, draft TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS kv (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`,
  `
CREATE TABLE first_sent (seq INTEGER PRIMARY KEY, message_id TEXT NOT NULL UNIQUE, digest TEXT NOT NULL) STRICT;
`,
  "ALTER TABLE outbox ADD COLUMN once INTEGER NOT NULL DEFAULT 0",
];
export type StateDb = Omit<Store, "cache" | "settle"> & {
  settle(seq: number): void;
  /** New path of a damaged file, if there was one. */
  readonly movedTo: string | undefined;
  /** What was copied from it. */
  readonly saved: SavedWrites | undefined;
  /** The file had been emptied: nothing could be copied. */
  readonly wasEmpty: boolean;
};

export interface SavedWrites {
  messages: number;
  drafts: number;
}

/** Opens the file; a damaged one is moved aside and its readable rows are copied. */
export function openStateDb(file: string, now: () => number): StateDb {
  let movedTo: string | undefined;
  let saved: SavedWrites | undefined;
  let db: DatabaseSync;
  const emptied = emptiedDatabase(file, now());
  try {
    if (emptied === "log") throw new StoreFailure("damaged", `${file} is empty`);
    db = openInPlace(file);
    checkWhole(db, file);
  } catch (error) {
    if (!(error instanceof StoreFailure) || error.kind !== "damaged") throw error;
    movedTo = moveAside(file, now());
    db = openFile(file, "FULL", STATE_MIGRATIONS);
    saved = salvage(db, movedTo);
  }
  return { ...createOperations(db, file), movedTo, saved, wasEmpty: emptied === "empty" };
}

/** Opens the file again if another program has moved its rows elsewhere, and removed it, just before (merge-state.ts). */
function openInPlace(file: string): DatabaseSync {
  const inode = (): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;
  const before = inode();
  const db = openFile(file, "FULL", STATE_MIGRATIONS);
  if (before === undefined || before === inode()) return db;
  db.close();
  return openInPlace(file);
}

function checkWhole(db: DatabaseSync, file: string): void {
  const result = withStoreFailure(file, () => db.prepare("PRAGMA quick_check(1)").get()) as {
    quick_check: string;
  };
  if (result.quick_check === "ok") return;
  db.close();
  throw new StoreFailure("damaged", `${file} is damaged: ${result.quick_check}`);
}

/** Copies all readable rows, from the start and from the end, so that only rows around a damaged page are lost. */
function salvage(db: DatabaseSync, from: string): SavedWrites {
  let old: DatabaseSync | undefined;
  try {
    old = openDamaged(from, (...how) => new DatabaseSync(...how));
    for (const [table, order] of SAVED)
      if (!copyRows(old, db, table, `${order} ASC`)) copyRows(old, db, table, `${order} DESC`);
  } catch {
    // The file cannot even be opened.
  } finally {
    if (old?.isOpen) old.close();
  }
  const count = (table: string): number =>
    (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
  return { messages: count("outbox"), drafts: count("drafts") };
}

/** Tables and the column by which their rows are ordered. */
const SAVED = [
  ["outbox", "seq"],
  ["drafts", "cid"],
  ["draft_history", "id"],
  ["kv", "key"],
  ["first_sent", "seq"],
] as const;

/** False when reading failed before the end of the table. */
function copyRows(old: DatabaseSync, db: DatabaseSync, table: string, order: string): boolean {
  try {
    let insert: StatementSync | undefined;
    const rows = old.prepare(`SELECT * FROM ${table} ORDER BY ${order}`);
    for (const row of rows.iterate() as Iterable<Record<string, never>>) {
      const names = Object.keys(row);
      insert ??= db.prepare(
        `INSERT OR IGNORE INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      );
      try {
        insert.run(...names.map((name) => row[name]!));
      } catch {
        // Skip a damaged row that breaks the constraints of its table.
      }
    }
    return true;
  } catch {
    return false;
  }
}

function createOperations(db: DatabaseSync, file: string): Omit<StateDb, "movedTo" | "saved" | "wasEmpty"> {
  const statements = new Statements(db);
  const table: OpenFile = { db, file, sql: statements.get };
  const { clearSent, ...drafts } = draftTable(table);
  return {
    ...outboxTable(table, clearSent),
    ...drafts,
    ...keyTable(table),
    ...firstSentTable(table),
    alive: isOwnerAlive,
    owner: thisOwner(),
    close() {
      statements.clear();
      db.close();
    },
  };
}
