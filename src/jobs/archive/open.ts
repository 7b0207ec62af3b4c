/** Opens an archive folder: for reading by many, or for writing by one run at a time. */
import { closeSync, existsSync, openSync, readdirSync, readSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { takeFolderLock, type FolderLock } from "../../model/files/folder-lock.ts";
import { makeFolders } from "../../model/files/leftovers.ts";
import { requirePlainDatabase } from "../../model/files/own-files.ts";
import { DATABASE_HEADER, newerFailure, withStoreFailure } from "../../model/files/storage.ts";
import { addFunctions, clearWords, fillWords, MIGRATIONS } from "./schema.ts";
import { transaction } from "../../model/files/transaction.ts";

/** The folder does not exist or is not an archive. */
export class NoArchive extends Error {}
/** Another run is writing to the archive. */
export class ArchiveBusy extends Error {}
/** The folder has something else in the place of a part of an archive. */
export class FolderTaken extends Error {}

export interface OpenArchive {
  folder: string;
  db: DatabaseSync;
  close(): void;
}

export interface WritableArchive extends OpenArchive {
  /** Closes an archive that was not there before, and removes it, and its folder unless something else is in it. */
  withdraw?: () => void;
  /** Closes the archive and removes its folder with all that is in it. */
  discard(): void;
}

export const archiveFile = (folder: string): string => path.join(folder, "archive.sqlite");
const lockFile = (folder: string): string => path.join(folder, "archive.lock");
export const manifestFile = (folder: string): string => path.join(folder, "manifest.json");
export const filesFolder = (folder: string): string => path.join(folder, "files");

/** Runs `work` and turns SQLite errors into `StoreFailure`. */
export const withArchiveFailure = <T>(folder: string, work: () => T): T =>
  withStoreFailure(archiveFile(folder), work, archiveFile(folder));

export const inTransaction = <T>({ folder, db }: Pick<OpenArchive, "folder" | "db">, work: () => T): T =>
  transaction(db, archiveFile(folder), work, archiveFile(folder));

export const archiveVersion = (db: DatabaseSync): number =>
  Number(db.prepare("PRAGMA user_version").get()?.user_version);

const isEmpty = (db: DatabaseSync): boolean => db.prepare("SELECT 1 FROM sqlite_master").get() === undefined;

/** Whether a file was a database, though it cannot be read: it is damaged then. */
function beginsAsDatabase(file: string): boolean {
  const begin = Buffer.alloc(DATABASE_HEADER.length);
  const descriptor = openSync(file, "r");
  try {
    return readSync(descriptor, begin) === begin.length && begin.equals(DATABASE_HEADER);
  } finally {
    closeSync(descriptor);
  }
}

/** True for an empty database. Throws `NoArchive` for a database that is not an archive. */
function requireArchive(db: DatabaseSync, folder: string): boolean {
  let version: number;
  let empty: boolean;
  try {
    version = archiveVersion(db);
    empty = isEmpty(db);
  } catch (error) {
    if ([BUSY, READ_ONLY].includes(resultOf(error)) || beginsAsDatabase(archiveFile(folder))) throw error;
    throw new NoArchive(`${folder} is not an archive: its archive.sqlite cannot be read.`);
  }
  if (version === 0 && !empty)
    throw new NoArchive(`${folder} is not an archive: its archive.sqlite is another file.`);
  if (version > MIGRATIONS.length) throw newerFailure(folder);
  return empty;
}

/** Result codes of SQLite. */
const BUSY = 5;
const READ_ONLY = 8;
const resultOf = (error: unknown): number => Number((error as { errcode?: number }).errcode) & 0xff;

function openToRead(folder: string): DatabaseSync {
  const db = new DatabaseSync(archiveFile(folder), { readOnly: true, timeout: 5000 });
  try {
    if (requireArchive(db, folder)) throw new NoArchive(`The archive in ${folder} is empty.`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens for reading, also while a run writes. Throws `NoArchive`. */
export function readArchive(folder: string): OpenArchive {
  if (!existsSync(archiveFile(folder))) throw new NoArchive(`There is no archive in ${folder}.`);
  requirePlainDatabase(archiveFile(folder));
  const db = withArchiveFailure(folder, () => {
    try {
      return openToRead(folder);
    } catch (error) {
      if (resultOf(error) !== READ_ONLY) throw error;
      // A run was killed inside a transaction: opening for writing rolls it back.
      const writable = new DatabaseSync(archiveFile(folder), { timeout: 5000 });
      archiveVersion(writable);
      writable.close();
      return openToRead(folder);
    }
  });
  return { folder, db, close: () => db.close() };
}

/** Makes the folder, if there is none. */
function lockArchive(folder: string): FolderLock {
  const lock = takeFolderLock(lockFile(folder));
  if (!lock) throw new ArchiveBusy(`Another run is writing to ${folder}.`);
  return lock;
}

function migrate(db: DatabaseSync, folder: string): void {
  requireArchive(db, folder);
  // A rollback journal instead of WAL: a finished archive is one file that can be copied, and read on a read-only disk.
  db.exec("PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000");
  addFunctions(db);
  const at = archiveVersion(db);
  if (at === MIGRATIONS.length) return;
  db.exec("BEGIN IMMEDIATE");
  for (const text of MIGRATIONS.slice(at)) db.exec(text);
  fillWords(db);
  db.exec(`PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`);
}

/** An archive writes its manifest last, so one without an archive is of something else. Throws `FolderTaken`. */
export function requireFree(folder: string): void {
  if (!existsSync(archiveFile(folder)) && existsSync(manifestFile(folder)))
    throw new FolderTaken(`${folder} has a manifest.json without an archive, which would be replaced.`);
}

/** Opens for writing, one run at a time; `create` makes the folder. Throws `NoArchive`, `FolderTaken` and `ArchiveBusy`. */
export function writeArchive(folder: string, { create }: { create: boolean }): WritableArchive {
  if (!create && !existsSync(archiveFile(folder))) throw new NoArchive(`There is no archive in ${folder}.`);
  requireFree(folder);
  for (const file of [archiveFile(folder), lockFile(folder)]) requirePlainDatabase(file);
  return withArchiveFailure(folder, () =>
    withPrivateFiles(() => {
      const unmake = makeFolders(folder, 0o700);
      const lock = lockNew(folder, unmake);
      // Asked under the lock: another run may have made it meanwhile, and what it made is not removed.
      const isNew = !existsSync(archiveFile(folder));
      let db: DatabaseSync | undefined;
      try {
        db = new DatabaseSync(archiveFile(folder), { timeout: 5000 });
        migrate(db, folder);
        const opened = db;
        return {
          folder,
          db,
          close: closer(db, lock),
          discard: () => {
            discard(folder, opened, lock);
            unmake();
          },
          ...(isNew && {
            withdraw: () => {
              opened.close();
              removeNew(folder, lock, unmake);
            },
          }),
        };
      } catch (error) {
        db?.close();
        if (isNew) removeNew(folder, lock, unmake);
        else lock.release();
        throw error;
      }
    }),
  );
}

/** Files that `work` creates are readable by their owner only. */
function withPrivateFiles<T>(work: () => T): T {
  const before = process.umask(0o077);
  try {
    return work();
  } finally {
    process.umask(before);
  }
}

const TABLES =
  "meta channels users members reads messages reactions polls votes attachments runs checkpoints gaps";

/** Empties all tables; downloaded files stay for the next run. */
export function clearArchive(archive: OpenArchive): void {
  inTransaction(archive, () => {
    for (const table of TABLES.split(" ")) archive.db.exec(`DELETE FROM ${table}`);
    clearWords(archive.db);
  });
}

/** A new database with the tables of an archive and no lock: only its creator writes it. */
export const newDatabase = (file: string): OpenArchive =>
  withPrivateFiles(() => {
    const db = new DatabaseSync(file);
    // An incomplete file is discarded, so nothing has to be durable before the end.
    db.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
    addFunctions(db);
    for (const text of MIGRATIONS) db.exec(text);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    return { folder: file, db, close: () => db.close() };
  });

const closer = (db: DatabaseSync, lock: FolderLock) => (): void => {
  if (db.isOpen) {
    // Removes the empty journal file.
    db.exec("PRAGMA journal_mode = DELETE");
    db.close();
  }
  lock.release();
};

/** Removes a new archive that is locked by its only writer. */
function removeNew(folder: string, lock: FolderLock, unmake: () => void): void {
  for (const ending of ["", "-journal"]) rmSync(`${archiveFile(folder)}${ending}`, { force: true });
  lock.remove();
  unmake();
}

/** Locks the folder; one that was made for it is removed again if that fails, but for a lock file, which may be another run's by now. */
function lockNew(folder: string, unmake: () => void): FolderLock {
  try {
    return lockArchive(folder);
  } catch (error) {
    unmake();
    throw error;
  }
}

/** Another run may take the folder as soon as the lock is gone: only an empty one is removed then. */
function discard(folder: string, db: DatabaseSync, lock: FolderLock): void {
  db.close();
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (file !== lockFile(folder)) rmSync(file, { recursive: true, force: true });
  }
  lock.remove();
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(String((error as NodeJS.ErrnoException).code)))
      throw error;
  }
}
