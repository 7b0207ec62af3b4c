/** Verifies an archive: the database, the manifest, references between rows, and the bytes of every file. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { count } from "../../text/words.ts";
import { archiveCounts } from "./counts.ts";
import { interruptedRun, runsOf } from "./meta.ts";
import { entityOf, ROW_KEYS, ROW_TABLES } from "./rows.ts";
import { hasManifest, hashOf, type Manifest } from "./manifest.ts";
import { archiveFile, filesFolder, manifestFile, type OpenArchive } from "./open.ts";
import { readSmallFile } from "../../model/files/small-file.ts";

interface CheckResult {
  check: string;
  /** `older`: no fault, but something that the last run did not read again. */
  result: "good" | "wrong" | "older";
  /** Present unless `good`. */
  reason?: string;
}

/** Faults listed per check; the others are only counted. */
const MAX_FAULTS = 20;

type Check = (archive: OpenArchive) => string[] | Promise<string[]>;

const CHECKS: readonly (readonly [name: string, look: Check])[] = [
  ["database", ({ db }) => integrity(db)],
  ["rows", damagedRows],
  ["manifest", manifestProblems],
  [
    "last run",
    ({ db }) => (interruptedRun(db) ? ["it was interrupted: 'parley archive update' continues it"] : []),
  ],
  [
    "channels",
    ({ db }) =>
      orphans(
        db,
        "cid",
        "messages m",
        "channels c ON c.cid = m.cid",
        "c.cid",
        "belongs to a missing channel",
      ),
  ],
  [
    "threads",
    ({ db }) =>
      orphans(
        db,
        "id",
        // A reply that is also shown in the channel may be newer than `--since`, and its message older.
        "(SELECT * FROM messages WHERE parent_id IS NOT NULL AND NOT (json_valid(raw) AND coalesce(raw ->> '$.show_in_channel', 0))) m",
        "messages p ON p.id = m.parent_id",
        "p.id",
        "replies to a missing message",
      ),
  ],
  [
    "reactions",
    ({ db }) =>
      orphans(
        db,
        "message_id",
        "reactions m",
        "messages p ON p.id = m.message_id",
        "p.id",
        "has reactions but is missing",
      ),
  ],
  ["files", fileProblems],
];

/** One `good` result per passed check, or one `wrong` result per fault; then what is older than the last run. */
export async function* verifyArchive(
  archive: OpenArchive,
  progress: (done: number, total: number, text: string) => void,
): AsyncIterable<CheckResult> {
  for (const [n, [check, run]] of CHECKS.entries()) {
    progress(n, CHECKS.length, check);
    const faults = await run(archive);
    if (faults.length === 0) yield { check, result: "good" };
    for (const reason of faults.slice(0, MAX_FAULTS)) yield { check, result: "wrong", reason };
    if (faults.length > MAX_FAULTS)
      yield { check, result: "wrong", reason: `and ${faults.length - MAX_FAULTS} more` };
  }
  const reason = olderThanLastRun(archive.db);
  yield { check: "changes", ...(reason === undefined ? { result: "good" } : { result: "older", reason }) };
}

function integrity(db: DatabaseSync): string[] {
  const rows = db.prepare("PRAGMA integrity_check(20)").all();
  return rows.map((row) => String(row.integrity_check)).filter((line) => line !== "ok");
}

function damagedRows({ db }: OpenArchive): string[] {
  const faults: string[] = [];
  for (const table of ROW_TABLES)
    for (const { key, raw } of db.prepare(`SELECT ${ROW_KEYS[table]} AS key, raw FROM ${table}`).iterate())
      if (entityOf(table, raw) === undefined) faults.push(`${table} ${String(key)} is damaged`);
  return faults;
}

/** Names the messages that the last run did not read again, so that later changes of them are missing. */
function olderThanLastRun(db: DatabaseSync): string | undefined {
  const last = runsOf(db).findLast(({ kind }) => kind !== "merge");
  const { n, newest } = db
    .prepare("SELECT count(*) n, max(at) newest FROM messages WHERE gone_at IS NULL AND run < ?")
    .get(last?.n ?? 1) as { n: number; newest: string | null };
  if (n === 0) return undefined;
  const read = last ? `before the last run, of ${last.started_at}` : "by the merged archives";
  return `${count(n, "message")} up to ${newest} ${n === 1 ? "was" : "were"} last read ${read}: later edits, reactions and deletions are not here`;
}

async function manifestProblems({ folder, db }: OpenArchive): Promise<string[]> {
  if (!hasManifest(folder)) return ["manifest.json is missing: no run has finished"];
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readSmallFile(manifestFile(folder))) as Manifest;
  } catch {
    return ["manifest.json is not valid JSON"];
  }
  const counts = archiveCounts(db);
  const faults = Object.entries(counts).flatMap(([name, count]) => {
    const recorded = manifest.counts?.[name as keyof typeof counts];
    return recorded === count ? [] : [`manifest.json says ${String(recorded)} ${name}, there are ${count}`];
  });
  const { sha256 } = await hashOf(archiveFile(folder));
  if (sha256 !== manifest.sha256) faults.push("archive.sqlite has changed since manifest.json was written");
  return faults;
}

/** Sentences about rows of `from` without a matching row of `join`. */
function orphans(
  db: DatabaseSync,
  key: string,
  from: string,
  join: string,
  joinedColumn: string,
  sentence: string,
): string[] {
  const rows = db
    .prepare(`SELECT DISTINCT m.${key} AS key FROM ${from} LEFT JOIN ${join} WHERE ${joinedColumn} IS NULL`)
    .all();
  return rows.map((row) => `${String(row.key)} ${sentence}`);
}

async function fileProblems({ folder, db }: OpenArchive): Promise<string[]> {
  const filesPath = filesFolder(folder);
  const faults: string[] = [];
  const known = new Set<string>();
  for (const row of db.prepare("SELECT hash, bytes FROM files").all()) {
    const name = String(row.hash);
    known.add(name);
    const file = path.join(filesPath, name);
    if (!existsSync(file)) faults.push(`files/${name} is missing`);
    else if ((await hashOf(file)).sha256 !== name) faults.push(`files/${name} has changed`);
  }
  const names = existsSync(filesPath) ? readdirSync(filesPath) : [];
  const unknown = names.filter((name) => !known.has(name) && name !== "fetching.part");
  return [...faults, ...unknown.map((name) => `files/${name} belongs to no message`)];
}
