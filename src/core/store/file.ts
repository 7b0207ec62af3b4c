/** Opens a SQLite file of core: readable by its owner only, journalled, migrated (specification/storage.md §2). */
import { chmodSync, mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { renameDatabase, requirePlainDatabase } from "../../model/files/own-files.ts";
import { immutableUrl, newerFailure, withStoreFailure } from "../../model/files/storage.ts";

/** SQLite before 3.51.3 could lose a transaction at a WAL reset: it uses a truncated journal instead. */
const WAL_FROM = [3, 51, 3];

export function allowsWal(version: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [i, least] of WAL_FROM.entries()) if (parts[i] !== least) return (parts[i] ?? 0) > least;
  return true;
}

/** The name of a database in memory. */
export const IN_MEMORY = ":memory:";

/** Refuses a file of a newer program before anything can change it. */
function refuseNewer(file: string, known: number): void {
  let db: DatabaseSync | undefined;
  let version = 0;
  try {
    db = new DatabaseSync(immutableUrl(file), { readOnly: true });
    version = versionOf(db);
  } catch {
    // Missing or damaged: opening it for writing will tell.
  } finally {
    db?.close();
  }
  if (version > known) throw newerFailure(file);
}

const versionOf = (db: DatabaseSync): number =>
  (db.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;

/** Applies new migrations, in the transaction of the caller. Files from before there were versions have 0. */
function migrate(db: DatabaseSync, file: string, migrations: readonly string[]): void {
  const at = versionOf(db);
  if (at > migrations.length) throw newerFailure(file);
  if (at === migrations.length) return;
  for (const text of migrations.slice(at)) db.exec(text);
  db.exec(`PRAGMA user_version = ${migrations.length}`);
}

/** Page cache of SQLite, KiB: the system caches the file too, and the default of 2 MiB for each of two stores is a lot. */
const PAGES_KIB = 256;

/**
 * Opens or creates the file with mode 0600 in folders of mode 0700, and migrates it. `":memory:"` is a database in memory.
 * `migrations` are only ever appended to: released ones never change. `addFunctions` registers the SQL functions they call.
 */
export function openFile(
  file: string,
  synchronous: "FULL" | "NORMAL",
  migrations: readonly string[],
  addFunctions: (db: DatabaseSync) => void = () => {},
): DatabaseSync {
  return withStoreFailure(file, () => {
    if (file !== IN_MEMORY) requirePlainDatabase(file);
    if (file !== IN_MEMORY) refuseNewer(file, migrations.length);
    if (file !== IN_MEMORY) mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const before = process.umask(0o077);
    let db: DatabaseSync;
    try {
      db = new DatabaseSync(file, { timeout: 5000 });
    } finally {
      process.umask(before);
    }
    try {
      const { version } = db.prepare("SELECT sqlite_version() AS version").get() as { version: string };
      db.exec(`PRAGMA journal_mode = ${allowsWal(version) ? "WAL" : "TRUNCATE"}`);
      db.exec(`PRAGMA synchronous = ${synchronous}`);
      db.exec(`PRAGMA cache_size = -${PAGES_KIB}`);
      // What is deleted is overwritten, not only marked as free.
      db.exec("PRAGMA secure_delete = ON");
      addFunctions(db);
      db.exec("BEGIN IMMEDIATE");
      migrate(db, file, migrations);
      db.exec("COMMIT");
      if (file !== IN_MEMORY) chmodSync(file, 0o600);
    } catch (error) {
      db.close();
      throw error;
    }
    return db;
  });
}

/** Renames a damaged file and the files SQLite keeps beside it; returns the new name. */
export function moveAside(file: string, now: number): string {
  const aside = `${file}.damaged-${now}`;
  renameDatabase(file, aside);
  return aside;
}
