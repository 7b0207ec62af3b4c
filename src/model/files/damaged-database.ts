/** Opens damaged databases for reading what is left, also cut ones. */
import { statSync, truncateSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { immutableUrl } from "./storage.ts";

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

type ConnectArgs = [location: string | URL, options: { readOnly: boolean; defensive: boolean }];

/** Bytes of the smallest page. */
const PAGE = 512;

/**
 * Opens a file that was moved aside, with its log, which has the newest rows. A file shorter than its header says is read as far
 * as it goes. Throws if nothing can be read.
 */
export function openDamaged(file: string, open: (...how: ConnectArgs) => DatabaseSync): DatabaseSync {
  const hasLog = sizeOf(`${file}-wal`) > 0;
  // SQLite would delete the log of an empty file.
  if (hasLog && sizeOf(file) === 0) truncateSync(file, PAGE);
  const db = open(hasLog ? file : immutableUrl(file), { readOnly: true, defensive: false });
  try {
    // With this setting SQLite takes the size of the file for the number of its pages, not the number in its header.
    db.exec("PRAGMA writable_schema = ON");
    db.prepare("SELECT count(*) FROM sqlite_master").get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** What is to be done with an empty file in the place of a database: `"log"` if its rows are in its log. New ones are empty for a moment, too. */
export function emptiedDatabase(file: string, now: number): "empty" | "log" | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > 0) return undefined;
  if (sizeOf(`${file}-wal`) > 0) return "log";
  return now - stats.mtimeMs > NEW_FILE ? "empty" : undefined;
}

/** Milliseconds in which another process may be filling a file that it has just created. */
const NEW_FILE = 10_000;
