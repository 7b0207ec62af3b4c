/** Verifies an archive: the database, its counts against the manifest, what messages refer to, and the bytes of every file. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { archiveCounts } from "./counts.ts";
import { unfinished } from "./meta.ts";
import { hasManifest, hashOf, manifestFile, type Manifest } from "./manifest.ts";
import { archiveFile, filesFolder, type OpenArchive } from "./open.ts";

interface Checked {
  check: string;
  result: "good" | "wrong";
  /** What is wrong. */
  reason?: string;
}

/** Faults that are named one by one; the rest is counted. */
const SHOWN = 20;

type Check = (archive: OpenArchive) => string[] | Promise<string[]>;

const CHECKS: readonly (readonly [name: string, look: Check])[] = [
  ["database", ({ db }) => integrity(db)],
  ["manifest", manifestProblems],
  [
    "last run",
    ({ db }) => (unfinished(db) ? ["it was broken off: parley archive update goes on with it"] : []),
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
        "is of no channel that is there",
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
        "is a reply to a message that is not there",
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
        "has reactions and is not there",
      ),
  ],
  ["files", fileProblems],
];

/** Each check with what is wrong; a wrong one may come several times. */
export async function* verifyArchive(
  archive: OpenArchive,
  told: (done: number, total: number, text: string) => void,
): AsyncIterable<Checked> {
  for (const [n, [check, look]] of CHECKS.entries()) {
    told(n, CHECKS.length, check);
    const faults = await look(archive);
    if (faults.length === 0) yield { check, result: "good" };
    for (const reason of faults.slice(0, SHOWN)) yield { check, result: "wrong", reason };
    if (faults.length > SHOWN) yield { check, result: "wrong", reason: `and ${faults.length - SHOWN} more` };
  }
}

function integrity(db: DatabaseSync): string[] {
  const rows = db.prepare("PRAGMA integrity_check(20)").all();
  return rows.map((row) => String(row.integrity_check)).filter((said) => said !== "ok");
}

async function manifestProblems({ folder, db }: OpenArchive): Promise<string[]> {
  if (!hasManifest(folder)) return ["there is no manifest.json: no run came to its end"];
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(manifestFile(folder), "utf8")) as Manifest;
  } catch {
    return ["manifest.json is no JSON"];
  }
  const counts = archiveCounts(db);
  const faults = Object.entries(counts).flatMap(([name, count]) => {
    const said = manifest.counts?.[name as keyof typeof counts];
    return said === count ? [] : [`manifest.json says ${String(said)} ${name}, there are ${count}`];
  });
  const { sha256 } = await hashOf(archiveFile(folder));
  if (sha256 !== manifest.sha256)
    faults.push("archive.sqlite is not the file that manifest.json was written for");
  return faults;
}

/** Rows of `from` whose partner is missing, by their key. */
function orphans(
  db: DatabaseSync,
  key: string,
  from: string,
  join: string,
  partner: string,
  what: string,
): string[] {
  const rows = db
    .prepare(`SELECT DISTINCT m.${key} AS key FROM ${from} LEFT JOIN ${join} WHERE ${partner} IS NULL`)
    .all();
  return rows.map((row) => `${String(row.key)} ${what}`);
}

async function fileProblems({ folder, db }: OpenArchive): Promise<string[]> {
  const place = filesFolder(folder);
  const faults: string[] = [];
  const known = new Set<string>();
  for (const row of db.prepare("SELECT hash, bytes FROM files").all()) {
    const name = String(row.hash);
    known.add(name);
    const file = path.join(place, name);
    if (!existsSync(file)) faults.push(`files/${name} is missing`);
    else if ((await hashOf(file)).sha256 !== name) faults.push(`files/${name} holds other bytes than it did`);
  }
  const there = existsSync(place) ? readdirSync(place) : [];
  const strange = there.filter((name) => !known.has(name) && name !== "fetching.part");
  return [...faults, ...strange.map((name) => `files/${name} belongs to no message`)];
}
