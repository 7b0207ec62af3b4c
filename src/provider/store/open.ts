/** Opens the provider's database: private file, durable settings, schema brought up to date, a damaged file moved aside. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue, StatementSync } from "node:sqlite";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import type { Part } from "./migrate.ts";

/** SQLite result codes of a file that is no database, or no longer one. */
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

export interface OpenedDatabase extends Database {
  /** Where the damaged file went, when this opening found one. */
  readonly movedAside: string | undefined;
  /** Writes the whole database, as it is now, to a file that does not exist yet. */
  backup(file: string): void;
  /** Writes the log back into the file and closes it. */
  close(): void;
}

/**
 * Creates the folder 0700 and the file 0600 before SQLite sees them: it would make them readable for everybody. A file
 * that exists is not opened: closing it would drop every lock this process holds on it (POSIX).
 */
export function privateFile(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    chmodSync(file, 0o600);
  }
}

/**
 * WAL makes a commit one `fsync`; SQLite before 3.51.3 could lose pages in a checkpoint race, so there the
 * rollback journal is used (reliability.md §1 Storage).
 */
export function journalMode(version: string): "WAL" | "TRUNCATE" {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return major > 3 || (major === 3 && (minor > 51 || (minor === 51 && patch >= 3))) ? "WAL" : "TRUNCATE";
}

function openRaw(file: string, parts: readonly Part[]): DatabaseSync {
  const raw = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true, defensive: true });
  try {
    const version = (raw.prepare("SELECT sqlite_version() AS v").get() as { v: string }).v;
    raw.exec(`PRAGMA journal_mode = ${journalMode(version)}; PRAGMA synchronous = FULL`);
    raw.exec("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000; PRAGMA journal_size_limit = 16777216");
    if (file !== ":memory:") {
      const check = raw.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
      if (check.quick_check !== "ok") throw Object.assign(new Error(check.quick_check), { errcode: CORRUPT });
    }
    for (const part of parts) part.teach?.(raw);
    migrate(raw, file, parts);
    return raw;
  } catch (error) {
    raw.close();
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  const code = Number((error as { errcode?: number }).errcode ?? 0) & 0xff;
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/**
 * Opens or creates `file` (`":memory:"` for none). A damaged file is renamed to `<file>.damaged-<n>` with its log and
 * an empty database takes its place: the caller must tell the user (`movedAside`). Other failures are thrown.
 */
export function openDatabase(file: string, parts: readonly Part[]): OpenedDatabase {
  let raw: DatabaseSync;
  let movedAside: string | undefined;
  if (file !== ":memory:") privateFile(file);
  try {
    raw = openRaw(file, parts);
  } catch (error) {
    if (file === ":memory:" || !isDamage(error)) throw error;
    let n = 1;
    while (existsSync(`${file}.damaged-${n}`)) n++;
    movedAside = `${file}.damaged-${n}`;
    renameSync(file, movedAside);
    for (const end of ["-wal", "-shm", "-journal"])
      if (existsSync(file + end)) renameSync(file + end, movedAside + end);
    privateFile(file);
    raw = openRaw(file, parts);
  }
  return wrap(raw, movedAside);
}

function wrap(raw: DatabaseSync, movedAside: string | undefined): OpenedDatabase {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = raw.prepare(sql)));
    return statement;
  };
  return {
    raw,
    movedAside,
    prepare,
    get: <T extends object>(sql: string, ...values: SQLInputValue[]) =>
      prepare(sql).get(...values) as T | undefined,
    all: <T extends object>(sql: string, ...values: SQLInputValue[]) => prepare(sql).all(...values) as T[],
    run: (sql, ...values) => prepare(sql).run(...values),
    backup(target) {
      privateFile(target);
      raw.prepare("VACUUM INTO ?").run(target);
    },
    close() {
      statements.clear();
      if (!raw.isOpen) return;
      try {
        raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      } finally {
        raw.close();
      }
    },
  };
}
