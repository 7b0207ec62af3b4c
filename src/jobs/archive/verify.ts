/** Verifies an archive: the database, the manifest, references between rows, and the bytes of every file. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { archiveCounts } from "./counts.ts";
import { interruptedRun } from "./meta.ts";
import { hasManifest, hashOf, manifestFile, type Manifest } from "./manifest.ts";
import { archiveFile, filesFolder, type OpenArchive } from "./open.ts";

interface CheckResult {
  check: string;
  result: "good" | "wrong";
  /** Present when `wrong`. */
  reason?: string;
}

/** Faults listed per check; the others are only counted. */
const MAX_FAULTS = 20;

type Check = (archive: OpenArchive) => string[] | Promise<string[]>;

const CHECKS: readonly (readonly [name: string, look: Check])[] = [
  ["database", ({ db }) => integrity(db)],
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
        "(SELECT * FROM messages WHERE parent_id IS NOT NULL) m",
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

/** One `good` result per passed check, or one `wrong` result per fault. */
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
}

function integrity(db: DatabaseSync): string[] {
  const rows = db.prepare("PRAGMA integrity_check(20)").all();
  return rows.map((row) => String(row.integrity_check)).filter((line) => line !== "ok");
}

async function manifestProblems({ folder, db }: OpenArchive): Promise<string[]> {
  if (!hasManifest(folder)) return ["manifest.json is missing: no run has finished"];
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(manifestFile(folder), "utf8")) as Manifest;
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
