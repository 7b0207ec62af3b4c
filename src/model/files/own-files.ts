/** Opens files that only this program writes: no links, and owned by whoever runs it (specification/storage.md §3). */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";

/** Something else stands where a file of ours should: nothing is read from it and nothing written to it. */
export class ForeignFile extends Error {
  readonly hint = "Look at it, and move it away.";
  constructor(file: string, why: string) {
    super(`${file} ${why}: it is neither read nor written.`);
    this.name = "ForeignFile";
  }
}

/** A descriptor of the file. Throws `ForeignFile` for a link, for what is no file, and for what belongs to somebody else. */
function openOwn(file: string, flags: number): number {
  let descriptor: number;
  try {
    // Not blocking: a pipe somebody left there would hold us up.
    descriptor = openSync(file, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP" || code === "EMLINK") throw new ForeignFile(file, "is a link");
    if (code === "ENXIO") throw new ForeignFile(file, "is no plain file");
    throw error;
  }
  const stats = fstatSync(descriptor);
  const ours = process.getuid === undefined || stats.uid === process.getuid();
  if (stats.isFile() && ours) return descriptor;
  closeSync(descriptor);
  throw new ForeignFile(file, ours ? "is no plain file" : "belongs to somebody else");
}

/** Its text; undefined when there is none. */
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

/** A descriptor that appends; made when it is not there. */
export const appendOwn = (file: string): number =>
  openOwn(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);

let parts = 0;

/** Whole or not at all, never readable for others. What stood there is replaced, a link itself and not what it leads to. */
export function replaceOwn(file: string, text: string): void {
  const part = `${file}.${process.pid}.${++parts}.${Date.now().toString(36)}.part`;
  writeFileSync(part, text, { mode: 0o600, flush: true, flag: "wx" });
  renameSync(part, file);
}

/** Gives a database file and what SQLite keeps beside it another name. */
export function renameDatabase(file: string, to: string): void {
  for (const ending of ["", "-wal", "-shm", "-journal"])
    if (existsSync(file + ending)) renameSync(file + ending, to + ending);
}
