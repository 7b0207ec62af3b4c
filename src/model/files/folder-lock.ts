/** Locks a folder for one process with an exclusive SQLite transaction, which the system ends with the process. */
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
}

/** Takes the lock of `file`, or undefined when another process (or another opener here) holds it. */
export function takeFolderLock(file: string): FolderLock | undefined {
  privateFile(file);
  const raw = new DatabaseSync(file, { timeout: WAIT });
  try {
    // Uses the rollback journal, because in WAL mode an exclusive transaction does not exclude readers.
    raw.exec("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  } catch (error) {
    raw.close();
    if ((Number((error as { errcode?: number }).errcode) & 0xff) === BUSY) return undefined;
    throw error;
  }
  return {
    release() {
      if (raw.isOpen) raw.close();
    },
  };
}
