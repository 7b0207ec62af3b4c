/** Statements over imports: progress and results. */
import type { ImportMode, ImportState } from "../../../../wire/entities/import.ts";
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";

/** How an import treats what exists: the protocol's two modes, and the two of the embedded provider's owner (specification/admin.md §10). */
export type StoringMode = ImportMode | "complete" | "replace";

export interface ImportRow {
  id: string;
  path: string;
  mode: StoringMode;
  merge_custom: number;
  state: ImportState;
  size: number;
  created_at: number;
  updated_at: number;
  history: string;
  result: string;
  at: number;
  rank: number;
}

/** Throws code 16 for an unknown import. */
export function importRow(db: Database, id: string): ImportRow {
  const row = db.get<ImportRow>("SELECT * FROM imports WHERE id = ?", id);
  if (!row) throw ApiProblem.notFound(`Import ${id.slice(0, 255)} does not exist`);
  return row;
}

/** Newest first. */
export function importRows(db: Database, limit: number, offset: number): ImportRow[] {
  return db.all<ImportRow>(
    "SELECT * FROM imports ORDER BY created_at DESC, id LIMIT ? OFFSET ?",
    limit,
    offset,
  );
}

/** The unfinished import whose last step was the longest ago. */
export function openImport(db: Database): ImportRow | undefined {
  return db.get<ImportRow>(
    `SELECT * FROM imports WHERE state NOT IN ('analyze_failed', 'completed', 'failed') ORDER BY updated_at, id LIMIT 1`,
  );
}

/** In state `uploaded`, at the beginning of its file. */
export function insertImport(
  db: Database,
  row: Pick<
    ImportRow,
    "id" | "path" | "mode" | "merge_custom" | "size" | "created_at" | "history" | "result"
  >,
): void {
  db.run(
    `INSERT INTO imports (id, path, mode, merge_custom, state, size, created_at, updated_at, history, result)
     VALUES (:id, :path, :mode, :merge_custom, 'uploaded', :size, :created_at, :created_at, :history, :result)`,
    row,
  );
}

export function storeImportState(db: Database, row: ImportRow): void {
  db.run(
    "UPDATE imports SET state = :state, history = :history, updated_at = :updated_at WHERE id = :id",
    row,
  );
}

/** `result`: JSON. */
export function setImportResult(db: Database, id: string, result: string): void {
  db.run("UPDATE imports SET result = ? WHERE id = ?", result, id);
}

/** How far the file was checked, and the result so far. */
export function storeAnalysis(
  db: Database,
  row: Pick<ImportRow, "id" | "at" | "result" | "updated_at">,
): void {
  db.run("UPDATE imports SET at = :at, result = :result, updated_at = :updated_at WHERE id = :id", row);
}

/** How far the file was stored, and in which round. */
export function storeProgress(db: Database, row: Pick<ImportRow, "id" | "at" | "rank" | "updated_at">): void {
  db.run("UPDATE imports SET at = :at, rank = :rank, updated_at = :updated_at WHERE id = :id", row);
}

/** Back to the beginning of the file, for round `rank`. */
export function rewindImport(db: Database, id: string, rank: number): void {
  db.run("UPDATE imports SET at = 0, rank = ? WHERE id = ?", rank, id);
}

export function touchImport(db: Database, id: string, now: number): void {
  db.run("UPDATE imports SET updated_at = ? WHERE id = ?", now, id);
}
