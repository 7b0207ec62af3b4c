/** Merges archives into one: the newer version of each message wins, equal files are stored once. */
import { copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { writeManifest } from "./manifest.ts";
import { beginRun, endRun, readMeta, runsOf, writeMeta, type ArchiveReadOptions } from "./meta.ts";
import { archiveFile, filesFolder, withArchiveFailure, inTransaction, type OpenArchive } from "./open.ts";
import { fillWords } from "./schema.ts";
import { sameFile } from "./statements.ts";

/** The version of the tables since which rows have `seen_at`. */
const SEEN_AT_VERSION = 2;

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

/** Whether the other archive's version of a message is newer; a reaction or a vote does not change `updated_at`. */
const IS_NEWER = "(o.updated_at, o.seen_at) > (m.updated_at, m.seen_at)";

/** The version of the tables since which gaps have `raw`. */
const RAW_VERSION = 4;

/** Read from the views `others`, `other_channels` and `other_gaps`, as an archive of an earlier version has no `seen_at` or `raw`. */
const otherViews = (hasSeenAt: boolean, hasRaw: boolean): string => `
  CREATE TEMP VIEW other_gaps AS SELECT cid, part, after, reason, at, ${hasRaw ? "raw" : "NULL AS raw"} FROM other.gaps;
  CREATE TEMP VIEW others AS SELECT id, cid, parent_id, user_id, type, text, at, updated_at, gone_at, raw,
    ${hasSeenAt ? "seen_at" : "coalesce((SELECT started_at FROM other.runs r WHERE r.n = x.run), '') AS seen_at"} FROM other.messages x;
  CREATE TEMP VIEW other_channels AS SELECT cid, type, id, name, raw,
    ${
      hasSeenAt
        ? "seen_at"
        : `coalesce((SELECT r.started_at FROM other.checkpoints p JOIN other.runs r ON r.n = p.run
           WHERE p.cid = x.cid AND p.part = 'channel'), '') AS seen_at`
    } FROM other.channels x;`;
const DROP_VIEWS =
  "DROP VIEW IF EXISTS temp.others; DROP VIEW IF EXISTS temp.other_channels; DROP VIEW IF EXISTS temp.other_gaps";

const ADDED_COUNTS = `SELECT
  (SELECT count(*) FROM other.channels WHERE cid NOT IN (SELECT cid FROM main.channels)) channels,
  (SELECT count(*) FROM others o LEFT JOIN main.messages m USING(id) WHERE m.id IS NULL) messages,
  (SELECT count(*) FROM others o JOIN main.messages m USING(id) WHERE o.updated_at > m.updated_at) newer,
  (SELECT count(*) FROM other.reactions o LEFT JOIN main.messages m ON m.id = o.message_id WHERE m.id IS NULL) reactions,
  (SELECT count(*) FROM other.files WHERE hash NOT IN (SELECT hash FROM main.files)) files`;

const MERGE_STEPS = [
  `CREATE TEMP TABLE wins AS SELECT o.id FROM others o LEFT JOIN main.messages m USING(id) WHERE m.id IS NULL OR ${IS_NEWER}`,
  `CREATE TEMP TABLE won_channels AS SELECT o.cid FROM other_channels o LEFT JOIN main.channels c USING(cid)
   WHERE c.cid IS NULL OR o.seen_at > c.seen_at`,
  `INSERT INTO channels(cid, type, id, name, raw, seen_at) SELECT * FROM other_channels WHERE cid IN (SELECT cid FROM won_channels)
   ON CONFLICT(cid) DO UPDATE SET name = excluded.name, raw = excluded.raw, seen_at = excluded.seen_at`,
  `INSERT INTO users SELECT * FROM other.users WHERE true
   ON CONFLICT(id) DO UPDATE SET name = excluded.name, updated_at = excluded.updated_at, raw = excluded.raw
   WHERE excluded.updated_at > users.updated_at`,
  "DELETE FROM main.members WHERE cid IN (SELECT cid FROM won_channels)",
  "INSERT INTO members SELECT cid, user_id, 0, raw FROM other.members WHERE cid IN (SELECT cid FROM won_channels)",
  `INSERT INTO reads SELECT * FROM other.reads WHERE true ON CONFLICT(cid, user_id) DO UPDATE
   SET last_read = excluded.last_read, raw = excluded.raw WHERE excluded.last_read > reads.last_read`,
  "DELETE FROM main.reactions WHERE message_id IN (SELECT id FROM wins)",
  "INSERT INTO reactions SELECT * FROM other.reactions WHERE message_id IN (SELECT id FROM wins)",
  `CREATE TEMP TABLE kept AS SELECT message_id, url, hash FROM main.attachments
   WHERE message_id IN (SELECT id FROM wins) AND hash IS NOT NULL`,
  "DELETE FROM main.attachments WHERE message_id IN (SELECT id FROM wins)",
  "INSERT INTO attachments SELECT * FROM other.attachments WHERE message_id IN (SELECT id FROM wins)",
  `UPDATE attachments SET hash = k.hash, state = 'stored', reason = NULL FROM kept k
   WHERE k.message_id = attachments.message_id AND attachments.hash IS NULL AND ${sameFile("k.url", "attachments.url")}`,
  "DELETE FROM main.votes WHERE poll_id IN (SELECT id FROM other.polls WHERE message_id IN (SELECT id FROM wins))",
  "INSERT OR REPLACE INTO polls SELECT * FROM other.polls WHERE message_id IN (SELECT id FROM wins)",
  `INSERT OR REPLACE INTO votes SELECT * FROM other.votes
   WHERE poll_id IN (SELECT id FROM other.polls WHERE message_id IN (SELECT id FROM wins))`,
  "INSERT OR IGNORE INTO files SELECT * FROM other.files",
  "INSERT OR IGNORE INTO gaps(cid, part, after, reason, at, raw) SELECT * FROM other_gaps",
  // One archive may have noticed that a message is gone whose newest version the other has.
  `CREATE TEMP TABLE lost AS SELECT o.id, o.gone_at FROM others o JOIN main.messages m USING(id)
   WHERE o.id NOT IN (SELECT id FROM wins) AND m.gone_at IS NULL AND o.gone_at > m.seen_at
   UNION ALL SELECT m.id, m.gone_at FROM main.messages m JOIN others o USING(id)
   WHERE m.id IN (SELECT id FROM wins) AND o.gone_at IS NULL AND m.gone_at > o.seen_at`,
  `INSERT INTO messages(id, cid, parent_id, user_id, type, text, at, updated_at, gone_at, run, raw, seen_at)
   SELECT id, cid, parent_id, user_id, type, text, at, updated_at, gone_at, 0, raw, seen_at FROM others WHERE id IN (SELECT id FROM wins)
   ON CONFLICT(id) DO UPDATE SET type = excluded.type, text = excluded.text, updated_at = excluded.updated_at,
     gone_at = excluded.gone_at, raw = excluded.raw, seen_at = excluded.seen_at`,
  "UPDATE messages SET gone_at = l.gone_at FROM lost l WHERE l.id = messages.id",
  "DROP TABLE wins; DROP TABLE won_channels; DROP TABLE kept; DROP TABLE lost",
];

/** Whom an archive was read for: the profile and user, and since then the app and user. */
export interface ArchiveOrigin {
  from: string;
  owner?: string;
}

/** Undefined for an archive of a run that was killed early. */
export function originOf({ db }: OpenArchive): ArchiveOrigin | undefined {
  const [from, owner] = [readMeta(db, "from"), readMeta(db, "owner")];
  return from === undefined ? undefined : { from, ...(owner !== undefined && { owner }) };
}

export const isSameOrigin = (a: ArchiveOrigin, b: ArchiveOrigin): boolean =>
  a.owner !== undefined && b.owner !== undefined ? a.owner === b.owner : a.from === b.from;

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
      const { user_version: version } = into.db.prepare("PRAGMA other.user_version").get()!;
      into.db.exec(otherViews(Number(version) >= SEEN_AT_VERSION, Number(version) >= RAW_VERSION));
      const counts = { ...into.db.prepare(ADDED_COUNTS).get() } as unknown as Omit<MergeCounts, "archive">;
      if (write) {
        copyFiles(from, into.folder);
        inTransaction(into, () => MERGE_STEPS.forEach((step) => into.db.exec(step)));
      }
      return { archive: from, ...counts, ...(write ? {} : { dry_run: true as const }) };
    } finally {
      into.db.exec(DROP_VIEWS);
      into.db.exec("DETACH DATABASE other");
    }
  });
}

/** Ends a merge: records the origins (several cannot be updated any more), rebuilds the search index, writes the manifest. */
export async function finishMerge(
  into: OpenArchive,
  origins: readonly ArchiveOrigin[],
  { version, now, parts }: { version: string; now: string; parts: readonly ArchiveReadOptions[] },
): Promise<void> {
  withArchiveFailure(into.folder, () => {
    writeMeta(into.db, "from", origins.map(({ from }) => from).join("+"));
    const owners = origins.flatMap(({ owner }) => owner ?? []);
    if (owners.length > 0) writeMeta(into.db, "owner", owners.join("+"));
    const options = mergedOptions(into, parts);
    endRun(into.db, beginRun(into.db, { kind: "merge", options, version, started_at: now }), now);
    fillWords(into.db);
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
