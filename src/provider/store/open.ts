/** Opens the provider's database: private file, durable settings, schema brought up to date, a damaged file moved aside. */
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { ForeignFile } from "../../model/files/own-files.ts";
import { backup, DatabaseSync } from "node:sqlite";
import { neededCheck, damage, isDamage, markDamaged, moveDamagedAside, unmarkDamaged } from "./damage.ts";
import type { Database, SchemaPart } from "../base/database.ts";
import { migrate, refuseNewer } from "./migrate.ts";
import { salvage, type Saved } from "./salvage.ts";
import { statementsOf } from "./statement.ts";
import path from "node:path";

/** All pages in one step, so that the copy is one moment. */
const ALL_PAGES = 2 ** 31 - 1;

export interface OpenedDatabase extends Database {
  /** Where the damaged file went, when this opening found one, and what of it stands in the new one. */
  readonly movedAside: { file: string; saved: Saved } | undefined;
  /** What was made anew from the rest, because it alone was damaged. */
  readonly rebuilt: string | undefined;
  /**
   * Copies the whole database page by page, as it is now, to a file that does not exist yet; calls go on meanwhile.
   * Pages and not rows: the search index knows messages by rowids, which a copy by rows may give anew.
   */
  backup(file: string): Promise<void>;
  /**
   * Commits within `run` wait for no disk; what they wrote is on it when this returns. For many steps whose one answer
   * comes at the end.
   */
  together(run: () => void): void;
  /**
   * A sentence for people when SQLite says with this error that the file is damaged, else undefined. The next start
   * then looks through the whole file.
   */
  damaged(error: unknown): string | undefined;
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
    // SQLite would follow a link to wherever it leads.
    if (lstatSync(file).isSymbolicLink()) throw new ForeignFile(file, "is a link");
    chmodSync(file, 0o600);
  }
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
  const wanted = file === ":memory:" ? undefined : neededCheck(file);
  const raw = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true, defensive: true });
  try {
    const version = (raw.prepare("SELECT sqlite_version() AS v").get() as { v: string }).v;
    raw.exec(`PRAGMA journal_mode = ${journalMode(version)}; PRAGMA synchronous = FULL`);
    raw.exec("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8000; PRAGMA journal_size_limit = 16777216");
    for (const part of parts) part.registerFunctions?.(raw);
    const found = wanted && check(raw, wanted);
    const rebuilt = found === undefined ? undefined : rebuild(raw, parts, found);
    if (wanted === "whole") unmarkDamaged(file);
    migrate(raw, file, parts);
    // The folder has one owner: who else holds the file holds up everybody while one waits for it here.
    raw.exec("PRAGMA busy_timeout = 100");
    return { raw, rebuilt };
  } catch (error) {
    raw.close();
    throw error;
  }
}

/** The first thing that is wrong. The quick look skips whether indexes say the same as their tables. */
function check(raw: DatabaseSync, how: "quick" | "whole"): string | undefined {
  const pragma = how === "quick" ? "quick_check" : "integrity_check";
  const found = String(Object.values(raw.prepare(`PRAGMA ${pragma}(1)`).get()!)[0]);
  return found === "ok" ? undefined : found;
}

/** When what is derived is made anew and all is well then, nothing is lost; otherwise throws what was found. */
function rebuild(raw: DatabaseSync, parts: readonly SchemaPart[], found: string): string {
  const derived = parts.filter((part) => part.derived && raw.prepare(part.derived.present).get());
  if (derived.length === 0) throw damage(found);
  raw.exec("BEGIN IMMEDIATE");
  try {
    for (const part of derived) raw.exec(part.derived!.rebuild);
    const still = check(raw, "whole");
    if (still !== undefined) throw damage(still);
    raw.exec("COMMIT");
  } catch {
    if (raw.isTransaction) raw.exec("ROLLBACK");
    throw damage(found);
  }
  return derived.map((part) => part.derived!.name).join(", ");
}

/**
 * Opens or creates `file` (`":memory:"` for none). It is looked through when it is small, when the last end was not
 * clean, or when damage was met in use. A damaged file is renamed to `<file>.damaged-<n>` with its log and an empty
 * database takes its place, with what could be copied: the caller must tell the user (`movedAside`). Other failures are
 * thrown; a file of a newer program is not touched.
 */
export function openDatabase(file: string, parts: readonly SchemaPart[]): OpenedDatabase {
  if (file === ":memory:") return wrap(file, openRaw(file, parts), undefined);
  privateFile(file);
  try {
    return wrap(file, openRaw(file, parts), undefined);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const aside = moveDamagedAside(file);
    privateFile(file);
    const fresh = openRaw(file, parts);
    const saved = salvage(fresh.raw, aside);
    for (const { derived } of parts) if (derived) fresh.raw.exec(derived.rebuild);
    return wrap(file, fresh, { file: aside, saved });
  }
}

/** A connection of a reading thread: it sees what is committed and can write nothing. */
export function openReader(file: string, registerFunctions: (raw: DatabaseSync) => void): Database {
  const raw = new DatabaseSync(file, { readOnly: true, timeout: 5000, defensive: true });
  raw.exec("PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2000");
  registerFunctions(raw);
  return { raw, ...statementsOf(raw) };
}

/** Do readers and the one writer live side by side in this file. */
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
    rebuilt,
    ...statements,
    async backup(target) {
      privateFile(target);
      // The copy gets a connection of its own: another thread makes it, which must not share one with the calls.
      const reader = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
      try {
        await backup(reader, target, { rate: ALL_PAGES });
      } finally {
        reader.close();
      }
    },
    together(run) {
      raw.exec("PRAGMA synchronous = NORMAL");
      try {
        run();
      } finally {
        // A checkpoint begins by putting the log on the disk, which makes the writes durable.
        raw.exec("PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(PASSIVE)");
      }
    },
    damaged(error) {
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
