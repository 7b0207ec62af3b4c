/** Moves all rows of one state.db into another, for two folders that belong to the same app. */
import { randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { StoreFailure, withStoreFailure } from "../../model/files/storage.ts";
import { transaction } from "../../model/files/transaction.ts";
import { openFile } from "./file.ts";
import { LEASE } from "./outbox-table.ts";
import { STATE_MIGRATIONS } from "./state-db.ts";

type Row = Record<string, SQLInputValue>;

/** The key of the value that identifies a file whose rows are being moved. */
const MOVE = "move";

/**
 * False, and nothing is changed, while another program has `from` open. A killed run is continued by the next one, which moves
 * no row twice. Throws `StoreFailure`.
 */
export function mergeStateDb(from: string, into: string): boolean {
  if (!existsSync(from)) return true;
  const source = openAlone(from);
  if (!source) return false;
  try {
    const id = moveId(source, from);
    const target = openFile(into, "FULL", STATE_MIGRATIONS);
    try {
      transaction(target, into, () => copyOnce(source, target, id));
    } finally {
      target.close();
    }
    // Removed while it is locked, so that no other program adds a row meanwhile.
    for (const ending of ["-wal", "-shm", "-journal", ""]) rmSync(from + ending, { force: true });
    return true;
  } finally {
    source.close();
  }
}

/** Opens and migrates a file for this program alone; undefined while another one has it open. */
function openAlone(file: string): DatabaseSync | undefined {
  openFile(file, "FULL", STATE_MIGRATIONS).close();
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    // With this mode the first lock excludes all other connections, those that only read included.
    db.exec("PRAGMA locking_mode = EXCLUSIVE");
    transaction(db, file, () => {});
    return db;
  } catch (error) {
    db.close();
    if (error instanceof StoreFailure && error.kind === "busy") return undefined;
    throw error;
  }
}

/** The id of this move, the same after a killed run. */
function moveId(source: DatabaseSync, file: string): string {
  return withStoreFailure(file, () => {
    source.prepare("INSERT OR IGNORE INTO kv (key, value) VALUES (?, ?)").run(MOVE, randomUUID());
    return String(source.prepare("SELECT value FROM kv WHERE key = ?").get(MOVE)!.value);
  });
}

function copyOnce(source: DatabaseSync, target: DatabaseSync, id: string): void {
  const mark = `moved ${id}`;
  if (target.prepare("SELECT 1 FROM kv WHERE key = ?").get(mark)) return;
  const rowsOf = (table: string, order: string): Iterable<Row> =>
    source.prepare(`SELECT * FROM ${table} ORDER BY ${order}`).iterate() as Iterable<Row>;
  for (const { seq: _, ...row } of rowsOf("outbox", "seq")) insert(target, "outbox", row);
  for (const { id: _, ...row } of rowsOf("draft_history", "id")) insert(target, "draft_history", row);
  for (const row of rowsOf("drafts", "cid, parent_id")) mergeDraft(target, row);
  for (const row of rowsOf("kv", "key"))
    if (row.key !== LEASE && row.key !== MOVE) insert(target, "kv", row, "OR IGNORE");
  insert(target, "kv", { key: mark, value: "true" });
}

function insert(db: DatabaseSync, table: string, row: Row, or: "" | "OR IGNORE" | "OR REPLACE" = ""): void {
  const names = Object.keys(row);
  const places = names.map(() => "?").join(", ");
  db.prepare(`INSERT ${or} INTO ${table} (${names.join(", ")}) VALUES (${places})`).run(
    ...Object.values(row),
  );
}

/** Of two drafts of one place the newer one stays, and the other goes to the history. */
function mergeDraft(target: DatabaseSync, draft: Row): void {
  const held = target
    .prepare("SELECT * FROM drafts WHERE cid = ? AND parent_id = ?")
    .get(draft.cid!, draft.parent_id!) as Row | undefined;
  const isNewer = held === undefined || Number(draft.updated_at) > Number(held.updated_at);
  if (held && held.draft !== draft.draft) insert(target, "draft_history", isNewer ? held : draft);
  if (isNewer) insert(target, "drafts", draft, "OR REPLACE");
}
