/** Opens files that only this program writes: no links, owned by the current user (specification/storage.md §3). */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { aboutFile } from "./leftovers.ts";

/** Something else is in the place of one of the program's files, so it is neither read nor written. */
export class ForeignFile extends Error {
  readonly hint = "Check it, and move it away.";
  constructor(file: string, why: string) {
    super(`${file} ${why}: it is neither read nor written.`);
    this.name = "ForeignFile";
  }
}

const DATABASE_ENDINGS = ["", "-wal", "-shm", "-journal"];

/** Throws `ForeignFile` if a folder, pipe or device is in the place of a database or of SQLite's files beside it; opening a pipe would never end. */
export function requirePlainDatabase(file: string): void {
  for (const ending of DATABASE_ENDINGS) {
    const stats = statSync(file + ending, { throwIfNoEntry: false });
    if (stats && !stats.isFile())
      throw new ForeignFile(file + ending, stats.isDirectory() ? "is a folder" : "is not a plain file");
  }
}

/**
 * Creates the folder 0700 and the file 0600 before SQLite does, which would create them readable for everybody. An existing
 * file is not opened: closing it would drop every lock this process holds on it (POSIX).
 */
export function privateFile(file: string): void {
  requirePlainDatabase(file);
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

/** Returns a file descriptor. Throws `ForeignFile` for a link, a file of another user, or anything but a plain file. */
function openOwn(file: string, flags: number): number {
  let descriptor: number;
  try {
    // Non-blocking, because opening a named pipe would otherwise wait.
    descriptor = openSync(file, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP" || code === "EMLINK") throw new ForeignFile(file, "is a link");
    if (code === "ENXIO") throw new ForeignFile(file, "is not a plain file");
    throw error;
  }
  const stats = fstatSync(descriptor);
  const isOwn = process.getuid === undefined || stats.uid === process.getuid();
  if (stats.isFile() && isOwn) return descriptor;
  closeSync(descriptor);
  throw new ForeignFile(file, isOwn ? "is not a plain file" : "belongs to another user");
}

/** The text of a file, or undefined if it does not exist. */
export function readOwn(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openOwn(file, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Opens a file for appending, and creates it if needed. */
export const appendOwn = (file: string): number =>
  openOwn(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);

let parts = 0;

/** Replaces a file atomically, readable by its owner only. A link is replaced itself, not its target. */
export function replaceOwn(file: string, text: string): void {
  const part = `${file}.${process.pid}.${++parts}.${Date.now().toString(36)}.part`;
  try {
    writeFileSync(part, text, { mode: 0o600, flush: true, flag: "wx" });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw aboutFile(error, file);
  }
}

/** Renames a database file and SQLite's files beside it. */
export function renameDatabase(file: string, to: string): void {
  for (const ending of DATABASE_ENDINGS)
    if (existsSync(file + ending)) renameSync(file + ending, to + ending);
}
