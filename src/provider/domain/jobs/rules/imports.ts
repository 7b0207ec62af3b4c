/** Routes of imports: the upload address, starting an import, its progress (specification/admin.md §10). */
import { jobBodies } from "../../../../wire/bodies/jobs.ts";
import { IMPORTS_LIMIT, MAX_OFFSET } from "../../../../wire/constants.ts";
import type { ImportResult, ImportState, ImportTask } from "../../../../wire/entities/import.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { storedFileName } from "../../../files/rules.ts";
import type { Database } from "../../../base/database.ts";
import { BodyReader, readBody, invalidField } from "../../validation/check.ts";
import { registerJobFile } from "./export-files.ts";
import { jobFileRows } from "../storage/tasks.ts";
import { imports, type StoringMode, type ImportRow } from "../storage/imports.ts";

interface HistoryEntry {
  created_at: string;
  prev_state: ImportState | "";
  next_state: ImportState;
}

const EMPTY_RESULT: ImportResult = {
  errors: [],
  stats: { total: { users: 0, channels: 0, members: 0, messages: 0, reactions: 0 } },
};

/** `result` is null until the analysis is over. The owner's modes are shown as the protocol's mode that they refine. */
function importView(row: ImportRow): ImportTask {
  const analyzed = row.state !== "uploaded" && row.state !== "analyzing";
  return {
    id: row.id,
    path: row.path,
    mode: row.mode === "complete" ? "insert" : row.mode === "replace" ? "upsert" : row.mode,
    state: row.state,
    history: JSON.parse(row.history) as HistoryEntry[],
    size: row.size,
    result: analyzed ? (JSON.parse(row.result) as ImportResult) : null,
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
}

/** Moves an import to its next state and adds that to the history. */
export function enterState(db: Database, row: ImportRow, state: ImportState, now: number): void {
  const history = JSON.parse(row.history) as HistoryEntry[];
  history.push({ created_at: timeFromMicros(now), prev_state: row.state, next_state: state });
  Object.assign(row, imports.update(db, row, { state, history: JSON.stringify(history), updated_at: now }));
}

const PATH = /^imports\/([\da-f-]{36})\/[^/]+$/;

export const importFileName = (path: string): string | undefined => PATH.exec(path)?.[1];

export function createImportUrl(call: RouteCall): Reply<"createImportUrl"> {
  const { filename } = readBody(call.body, jobBodies.createImportUrl);
  if (!call.jobFiles) throw ApiProblem.featureOff("this provider keeps no files");
  const name = call.uuid();
  registerJobFile(call, "imports", name);
  return {
    path: `imports/${name}/${storedFileName(filename)}`,
    upload_url: call.jobFiles.address("imports", name),
  };
}

export function createImport(call: RouteCall): Reply<"createImport"> {
  const { path, mode = "upsert", merge_custom: merge = false } = readBody(call.body, jobBodies.createImport);
  return { import_task: startImport(call, { path, mode, merge }) };
}

/** Starts the import of an uploaded file. Throws code 4 for a `path` without one. */
export function startImport(
  call: Pick<RouteCall, "db" | "now" | "uuid" | "jobFiles">,
  { path, mode, merge = false }: { path: string; mode: StoringMode; merge?: boolean },
): ImportTask {
  const { db } = call;
  const name = importFileName(path);
  const uploaded = name !== undefined && jobFileRows.has(db, { kind: "imports", name });
  const size = uploaded ? call.jobFiles?.size("imports", name) : undefined;
  if (size === undefined) throw invalidField("path", "names no uploaded file: upload it first");
  const id = call.uuid();
  const now = call.now();
  const history: HistoryEntry[] = [
    { created_at: timeFromMicros(now), prev_state: "", next_state: "uploaded" },
  ];
  imports.insert(db, {
    id,
    path,
    mode,
    merge_custom: Number(merge),
    state: "uploaded",
    size,
    created_at: now,
    updated_at: now,
    history: JSON.stringify(history),
    result: JSON.stringify(EMPTY_RESULT),
  });
  return importView(imports.need(db, { id }));
}

export function getImport(call: RouteCall): Reply<"getImport"> {
  return { import_task: importView(imports.need(call.db, { id: call.path.id ?? "" })) };
}

/** Newest first. */
export function listImports(call: RouteCall): Reply<"listImports"> {
  const check = new BodyReader(call.query);
  const limit = check.limit(IMPORTS_LIMIT);
  const offset = check.whole("offset", 0, MAX_OFFSET) ?? 0;
  check.done();
  const rows = imports.list(call.db, {}, { by: ["-created_at", "id"], limit, offset });
  return { import_tasks: rows.map(importView) };
}
