/** Merges archives into one: the newer version of each message wins, equal files are stored once. */
import { copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { writeManifest } from "./manifest.ts";
import { beginRun, endRun, readMeta, runsOf, writeMeta, type ArchiveReadOptions } from "./meta.ts";
import { archiveFile, filesFolder, withArchiveFailure, inTransaction, type OpenArchive } from "./open.ts";

/** What merging one archive adds, and how many messages it updates (`newer`). */
export interface MergeCounts {
  archive: string;
  channels: number;
  messages: number;
  newer: number;
  reactions: number;
  files: number;
  dry_run?: true;
}

const ADDED_COUNTS = `SELECT
  (SELECT count(*) FROM other.channels WHERE cid NOT IN (SELECT cid FROM main.channels)) channels,
  (SELECT count(*) FROM other.messages o LEFT JOIN main.messages m USING(id) WHERE m.id IS NULL) messages,
  (SELECT count(*) FROM other.messages o JOIN main.messages m USING(id) WHERE o.updated_at > m.updated_at) newer,
  (SELECT count(*) FROM other.reactions o LEFT JOIN main.messages m ON m.id = o.message_id WHERE m.id IS NULL) reactions,
  (SELECT count(*) FROM other.files WHERE hash NOT IN (SELECT hash FROM main.files)) files`;

/** Messages taken from the other archive: missing ones, newer ones, and at equal age those its last run saw. */
const WINNING_MESSAGES = `CREATE TEMP TABLE wins AS SELECT o.id FROM other.messages o LEFT JOIN main.messages m USING(id)
  WHERE m.id IS NULL OR o.updated_at > m.updated_at OR (o.updated_at = m.updated_at AND o.run > 0 AND m.run = 0)`;

const MERGE_STEPS = [
  WINNING_MESSAGES,
  `INSERT INTO channels SELECT * FROM other.channels WHERE true
   ON CONFLICT(cid) DO UPDATE SET name = excluded.name, raw = excluded.raw
   WHERE json_extract(excluded.raw, '$.updated_at') > json_extract(channels.raw, '$.updated_at')`,
  `INSERT INTO users SELECT * FROM other.users WHERE true
   ON CONFLICT(id) DO UPDATE SET name = excluded.name, updated_at = excluded.updated_at, raw = excluded.raw
   WHERE excluded.updated_at > users.updated_at`,
  "INSERT OR IGNORE INTO members SELECT cid, user_id, 0, raw FROM other.members",
  `INSERT INTO reads SELECT * FROM other.reads WHERE true ON CONFLICT(cid, user_id) DO UPDATE
   SET last_read = excluded.last_read, raw = excluded.raw WHERE excluded.last_read > reads.last_read`,
  "DELETE FROM main.reactions WHERE message_id IN (SELECT id FROM wins)",
  "DELETE FROM main.attachments WHERE message_id IN (SELECT id FROM wins) AND hash IS NULL",
  "INSERT OR REPLACE INTO reactions SELECT * FROM other.reactions WHERE message_id IN (SELECT id FROM wins)",
  "INSERT OR IGNORE INTO attachments SELECT * FROM other.attachments WHERE message_id IN (SELECT id FROM wins)",
  "INSERT OR REPLACE INTO polls SELECT * FROM other.polls WHERE message_id IN (SELECT id FROM wins)",
  "INSERT OR REPLACE INTO votes SELECT * FROM other.votes",
  "INSERT OR IGNORE INTO files SELECT * FROM other.files",
  `INSERT INTO messages(id, cid, parent_id, user_id, type, text, at, updated_at, gone_at, run, raw)
   SELECT id, cid, parent_id, user_id, type, text, at, updated_at, gone_at, 0, raw FROM other.messages WHERE id IN (SELECT id FROM wins)
   ON CONFLICT(id) DO UPDATE SET type = excluded.type, text = excluded.text, updated_at = excluded.updated_at,
     gone_at = excluded.gone_at, raw = excluded.raw`,
  "DROP TABLE wins",
];

/** The profile and user an archive was read with. */
export const originOf = ({ db }: OpenArchive): string => readMeta(db, "from") ?? "";

/** The options of an archive's last run, if there was one. */
export const optionsOf = ({ db }: OpenArchive): ArchiveReadOptions[] =>
  runsOf(db)
    .slice(-1)
    .map(({ options }) => options);

/** What an update of the merged archive reads: all channels only if a part did, files if a part did. */
function mergedOptions({ db }: OpenArchive, parts: readonly ArchiveReadOptions[]): ArchiveReadOptions {
  const readsAll = parts.some(({ channels, filter }) => channels.length === 0 && filter === undefined);
  const cids = db.prepare("SELECT cid FROM channels ORDER BY cid").all();
  const downloads = parts.some(({ attachments }) => attachments === "download");
  return {
    channels: readsAll ? [] : cids.map(({ cid }) => String(cid)),
    threads: true,
    attachments: downloads ? "download" : "link",
  };
}

/** Counts what `from` would add; with `write`, adds it in one transaction. */
export function mergeFrom(into: OpenArchive, from: string, write: boolean): MergeCounts {
  return withArchiveFailure(into.folder, () => {
    into.db.prepare("ATTACH DATABASE ? AS other").run(archiveFile(from));
    try {
      const counts = { ...into.db.prepare(ADDED_COUNTS).get() } as unknown as Omit<MergeCounts, "archive">;
      if (write) {
        copyFiles(from, into.folder);
        inTransaction(into, () => MERGE_STEPS.forEach((step) => into.db.exec(step)));
      }
      return { archive: from, ...counts, ...(write ? {} : { dry_run: true as const }) };
    } finally {
      into.db.exec("DETACH DATABASE other");
    }
  });
}

/** Ends a merge: records the origins (several cannot be updated any more), rebuilds the search index, writes the manifest. */
export async function finishMerge(
  into: OpenArchive,
  origins: ReadonlySet<string>,
  { version, now, parts }: { version: string; now: string; parts: readonly ArchiveReadOptions[] },
): Promise<void> {
  withArchiveFailure(into.folder, () => {
    writeMeta(into.db, "from", [...origins].join("+"));
    const options = mergedOptions(into, parts);
    endRun(into.db, beginRun(into.db, { kind: "merge", options, version, started_at: now }), now);
    into.db.exec("INSERT INTO words(words) VALUES ('rebuild')");
  });
  await writeManifest(into);
}

/** Copied before their rows are written: a killed run may leave extra files, but never misses one. */
function copyFiles(from: string, to: string): void {
  const source = filesFolder(from);
  if (!existsSync(source)) return;
  mkdirSync(filesFolder(to), { recursive: true, mode: 0o700 });
  for (const name of readdirSync(source)) {
    const target = path.join(filesFolder(to), name);
    if (/^[0-9a-f]{64}$/.test(name) && !existsSync(target)) copyFileSync(path.join(source, name), target);
  }
}
