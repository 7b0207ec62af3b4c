/** Metadata of an archive: its origin and its runs. */
import type { DatabaseSync } from "node:sqlite";

/** Options of a run; an interrupted run continues with the same. */
export interface ArchiveReadOptions {
  /** Cids; empty = all channels of the user. */
  channels: string[];
  /** RFC 3339. */
  since?: string;
  until?: string;
  /** A channel filter as JSON, instead of the user's memberships. */
  filter?: string;
  threads: boolean;
  /** Of each channel at least its newest messages, so many that are no replies; for the data of an export only. */
  newest?: number;
  attachments: "link" | "download";
  /** Maximum bytes of a downloaded file. */
  maxFileSize?: number;
}

export interface ArchiveRun {
  n: number;
  kind: "create" | "update" | "merge" | "export" | "import";
  options: ArchiveReadOptions & { lookBack?: number };
  version: string;
  started_at: string;
  ended_at: string | null;
}

export function readMeta(db: DatabaseSync, key: string): string | undefined {
  const row = db.prepare("SELECT value FROM meta WHERE key = ?").get(key);
  return row === undefined ? undefined : String(row.value);
}

export function writeMeta(db: DatabaseSync, key: string, value: string): void {
  db.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(key, value);
}

const runOf = (row: Record<string, unknown>): ArchiveRun =>
  ({ ...row, options: JSON.parse(String(row.options)) }) as unknown as ArchiveRun;

export function runsOf(db: DatabaseSync): ArchiveRun[] {
  return db.prepare("SELECT * FROM runs ORDER BY n").all().map(runOf);
}

/** The interrupted run, if there is one. */
export function interruptedRun(db: DatabaseSync): ArchiveRun | undefined {
  return runsOf(db).findLast((run) => run.ended_at === null);
}

export function beginRun(db: DatabaseSync, run: Omit<ArchiveRun, "n" | "ended_at">): ArchiveRun {
  const { lastInsertRowid } = db
    .prepare("INSERT INTO runs(kind, options, version, started_at) VALUES (?, ?, ?, ?)")
    .run(run.kind, JSON.stringify(run.options), run.version, run.started_at);
  return { ...run, n: Number(lastInsertRowid), ended_at: null };
}

export function endRun(db: DatabaseSync, run: ArchiveRun, at: string): void {
  db.prepare("UPDATE runs SET ended_at = ? WHERE n = ?").run(at, run.n);
}
