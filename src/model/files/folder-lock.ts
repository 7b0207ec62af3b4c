/** Locks a folder for one process with an exclusive SQLite transaction, which the system ends with the process. */
import { rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { privateFile } from "./own-files.ts";

const BUSY = 5;

/**
 * How long to wait for the lock, ms. Each of two processes that try at the same moment holds what the other needs; without
 * waiting, both could be refused.
 */
const WAIT = 250;

export interface FolderLock {
  release(): void;
  /** Releases the lock and removes its file, without a moment in which another process could hold the removed file. */
  remove(): void;
}

/** SQLite: the file cannot be opened. */
const CANNOT_OPEN = 14;

const isGone = ({ code, errcode }: { code?: unknown; errcode?: unknown }): boolean =>
  code === "ENOENT" || (Number(errcode) & 0xff) === CANNOT_OPEN;

/** How often a lock is tried for whose folder is being removed. */
const MAX_TRIES = 100;

/** Takes the lock of `file`, or undefined when another process (or another opener here) holds it. */
export function takeFolderLock(file: string): FolderLock | undefined {
  for (let tries = 1; tries <= MAX_TRIES; tries++)
    try {
      const lock = tryLock(file);
      if (lock !== "removed") return lock;
    } catch (error) {
      if (!isGone(error as object) || tries === MAX_TRIES) throw error;
    }
  // Others take it and remove it, again and again.
  return undefined;
}

/** Which file is there: a removed file's number goes to the next new one at once, so the time of its making counts, too. */
function identityOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.birthtimeNs}`;
}

/** "removed": the holder before removed the file meanwhile, and the lock of such a file excludes nobody. */
function tryLock(file: string): FolderLock | "removed" | undefined {
  privateFile(file);
  const identity = identityOf(file);
  if (identity === undefined) return "removed";
  const raw = new DatabaseSync(file, { timeout: WAIT });
  try {
    // Uses the rollback journal, because in WAL mode an exclusive transaction does not exclude readers.
    raw.exec("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  } catch (error) {
    // Compared while the file is open: afterwards a new one may get its number.
    const isRemoved = identityOf(file) !== identity;
    raw.close();
    if ((Number((error as { errcode?: number }).errcode) & 0xff) === BUSY) return undefined;
    if (isRemoved) return "removed";
    throw error;
  }
  const release = (): void => {
    if (raw.isOpen) raw.close();
  };
  if (identityOf(file) !== identity) {
    release();
    return "removed";
  }
  return {
    release,
    remove() {
      if (raw.isOpen) rmSync(file, { force: true });
      release();
    },
  };
}
