/** Locks a data folder for one process with an exclusive transaction on `lock.db`, which ends with the process. */
import { DatabaseSync } from "node:sqlite";
import { privateFile } from "./open.ts";

const BUSY = 5;

interface FolderLock {
  release(): void;
}

/** Takes the lock of `file`, or undefined when another process (or another provider here) holds it. */
export function takeFolderLock(file: string): FolderLock | undefined {
  privateFile(file);
  const raw = new DatabaseSync(file, { timeout: 0 });
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
      if (!raw.isOpen) return;
      raw.exec("ROLLBACK");
      raw.close();
    },
  };
}
