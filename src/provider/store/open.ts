/** Opens the provider's database: private file, durable settings, newest schema; moves a damaged file aside. */
import { privateFile } from "../../model/files/own-files.ts";
import { backup, DatabaseSync } from "node:sqlite";
import {
  neededCheck,
  damageError,
  isDamage,
  markDamaged,
  moveDamagedAside,
  unmarkDamaged,
} from "./damage.ts";
import type { Database, SchemaPart } from "../base/database.ts";
import { migrate, refuseNewer } from "./migrate.ts";
import { salvage, type SalvageResult } from "./salvage.ts";
import { emptiedDatabase } from "../../model/files/damaged-database.ts";
import { statementsOf } from "./statement.ts";

/** Copies all pages in one step, so that the backup is consistent. */
const ALL_PAGES = 2 ** 31 - 1;

export interface OpenedDatabase extends Database {
  /** Set when the file was damaged: its new name, and what was copied from it. */
  readonly movedAside: { file: string; salvaged: SalvageResult } | undefined;
  /** The file had been emptied: nothing could be copied. */
  readonly wasEmpty: boolean;
  /** Names of the derived data that was damaged and rebuilt. */
  readonly rebuilt: string | undefined;
  /**
   * Copies the database page by page to a file that does not exist yet; calls continue meanwhile. Not row by row, because the
   * search index refers to messages by rowid, and a copy of rows may assign new rowids.
   */
  backup(file: string): Promise<void>;
  /**
   * Commits within `run` do not wait for the disk; their writes are durable when this returns. For many steps with one
   * answer at the end.
   */
  withoutSync(run: () => void): void;
  /**
   * A sentence for people when SQLite reports with this error that the file is damaged, else undefined. Marks the file, so
   * that the next start checks it completely.
   */
  damageMessage(error: unknown): string | undefined;
  /** Writes the log back into the file and closes it. */
  close(): void;
}

/**
 * WAL makes a commit one `fsync`; SQLite before 3.51.3 could lose pages in a checkpoint race, so there the
 * rollback journal is used (specification/storage.md §2).
 */
export function journalMode(version: string): "WAL" | "TRUNCATE" {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return major > 3 || (major === 3 && (minor > 51 || (minor === 51 && patch >= 3))) ? "WAL" : "TRUNCATE";
}

function openRaw(
  file: string,
  parts: readonly SchemaPart[],
): { raw: DatabaseSync; rebuilt?: string | undefined } {
  if (file !== ":memory:") refuseNewer(file, parts);
  const checkKind = file === ":memory:" ? undefined : neededCheck(file);
  const raw = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true, defensive: true });
  try {
    const version = (raw.prepare("SELECT sqlite_version() AS v").get() as { v: string }).v;
    raw.exec(`PRAGMA journal_mode = ${journalMode(version)}; PRAGMA synchronous = FULL`);
    raw.exec("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8000; PRAGMA journal_size_limit = 16777216");
    // What is deleted is overwritten, not only marked as free.
    raw.exec("PRAGMA secure_delete = ON");
    for (const part of parts) part.registerFunctions?.(raw);
    const problem = checkKind && check(raw, checkKind);
    const rebuilt = problem === undefined ? undefined : rebuild(raw, parts, problem);
    if (checkKind === "whole") unmarkDamaged(file);
    migrate(raw, file, parts);
    // Short, because waiting here blocks every caller; the folder has one owner, so others rarely lock the file.
    raw.exec("PRAGMA busy_timeout = 100");
    return { raw, rebuilt };
  } catch (error) {
    raw.close();
    throw error;
  }
}

/** The first problem in the file, if any. The quick check does not compare indexes with their tables. */
function check(raw: DatabaseSync, kind: "quick" | "whole"): string | undefined {
  const pragma = kind === "quick" ? "quick_check" : "integrity_check";
  const result = String(Object.values(raw.prepare(`PRAGMA ${pragma}(1)`).get()!)[0]);
  return result === "ok" ? undefined : result;
}

/** Rebuilds the derived data and returns its names if the file is sound then; otherwise throws the found damage. */
function rebuild(raw: DatabaseSync, parts: readonly SchemaPart[], problem: string): string {
  const derived = parts.filter((part) => part.derived && raw.prepare(part.derived.present).get());
  if (derived.length === 0) throw damageError(problem);
  raw.exec("BEGIN IMMEDIATE");
  try {
    for (const part of derived) raw.exec(part.derived!.rebuild);
    const remaining = check(raw, "whole");
    if (remaining !== undefined) throw damageError(remaining);
    raw.exec("COMMIT");
  } catch {
    if (raw.isTransaction) raw.exec("ROLLBACK");
    throw damageError(problem);
  }
  return derived.map((part) => part.derived!.name).join(", ");
}

/**
 * Opens or creates `file` (`":memory:"` for none). The file is checked when it is small, was not closed properly, or was found
 * damaged in use. A damaged file is renamed to `<file>.damaged-<n>` with its log, and replaced by a new database with the rows
 * that could be copied: the caller must tell the user (`movedAside`). Other failures are thrown; a file of a newer program is
 * not touched.
 */
export function openDatabase(file: string, parts: readonly SchemaPart[]): OpenedDatabase {
  if (file === ":memory:") return wrap(file, openRaw(file, parts), undefined);
  const emptied = emptiedDatabase(file, Date.now());
  privateFile(file);
  try {
    if (emptied === "log") throw damageError(`${file} is empty`);
    return { ...wrap(file, openRaw(file, parts), undefined), wasEmpty: emptied !== undefined };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const newName = moveDamagedAside(file);
    privateFile(file);
    const newDatabase = openRaw(file, parts);
    const salvaged = salvage(newDatabase.raw, newName);
    for (const { derived } of parts) if (derived) newDatabase.raw.exec(derived.rebuild);
    return wrap(file, newDatabase, { file: newName, salvaged });
  }
}

export function openReader(file: string, registerFunctions: (raw: DatabaseSync) => void): Database {
  const raw = new DatabaseSync(file, { readOnly: true, timeout: 5000, defensive: true });
  raw.exec("PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2000");
  registerFunctions(raw);
  return { raw, ...statementsOf(raw) };
}

/** Whether the file is in WAL mode, so that readers do not block the writer. */
export const usesWriteAheadLog = (db: Database): boolean =>
  (db.raw.prepare("PRAGMA journal_mode").get() as { journal_mode: string }).journal_mode === "wal";

function wrap(
  file: string,
  { raw, rebuilt }: ReturnType<typeof openRaw>,
  movedAside: OpenedDatabase["movedAside"],
): OpenedDatabase {
  const { clear, ...statements } = statementsOf(raw);
  return {
    raw,
    movedAside,
    wasEmpty: false,
    rebuilt,
    ...statements,
    async backup(target) {
      privateFile(target);
      // A separate connection, because another thread makes the copy and must not share one with the calls.
      const reader = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
      try {
        await backup(reader, target, { rate: ALL_PAGES });
      } finally {
        reader.close();
      }
    },
    withoutSync(run) {
      raw.exec("PRAGMA synchronous = NORMAL");
      try {
        run();
      } finally {
        // A checkpoint first syncs the log to disk, which makes the writes durable.
        raw.exec("PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(PASSIVE)");
      }
    },
    damageMessage(error) {
      if (!isDamage(error)) return undefined;
      if (file !== ":memory:") markDamaged(file);
      return "the data of the provider is damaged; it is looked through at the next start: stop the provider and start it again";
    },
    close() {
      clear();
      if (!raw.isOpen) return;
      try {
        raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      } finally {
        raw.close();
      }
    },
  };
}
