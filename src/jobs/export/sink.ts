/** Writes the text of an export to standard output or atomically to a file, with its checksum. */
import { createHash, type Hash } from "node:crypto";
import { existsSync, linkSync, lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { makeFolders } from "../../model/files/leftovers.ts";
import { writeProblem } from "../../model/files/storage.ts";

const BUFFER_SIZE = 256 * 1024;

/** Maximum UTF-8 bytes per UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

/** A file that could not be written; it stops no other file. */
export class OutputFailed extends Error {
  readonly file: string;
  /** The rest of a sentence that begins with the name of the file. */
  readonly reason: string;
  constructor(file: string, cause: unknown, reason = writeProblem(cause as Error)) {
    super(`${file} ${reason}`, { cause });
    this.file = file;
    this.reason = reason;
  }
}

/** What a run finds in the place of its files, and what it leaves there. */
export interface OutputPlace {
  /** Whether a file that is there may be replaced. */
  mayReplace(file: string): boolean;
  /** Told before the finished part gets the name of the file. */
  finishes(file: string, part: string): void;
}

export class OutputExists extends OutputFailed {
  constructor(file: string) {
    super(file, undefined, "already exists");
  }
}

/** Runs `work` on an output file; its errors become `OutputFailed`. */
export async function onFile<T>(file: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof OutputFailed ? error : new OutputFailed(file, error);
  }
}

/** Throws `OutputExists` for a file that may not be replaced; creates missing folders, and returns how to remove those that are empty. */
export function prepareFile(file: string, { mayReplace }: OutputPlace): () => void {
  if (existsSync(file) && !mayReplace(file)) throw new OutputExists(file);
  return makeFolders(path.dirname(path.resolve(file)));
}

/** Writes a small file whole; if that fails, nothing of it and no folder that was made for it is left. */
export function writeWhole(file: string, text: string, place: OutputPlace): void {
  const unmake = prepareFile(file, place);
  const part = `${file}.part`;
  try {
    dropPart(part);
    writeFileSync(part, text, { mode: 0o600, flush: true });
    finishPart(part, file, place);
  } catch (error) {
    rmSync(part, { force: true });
    unmake();
    throw error;
  }
}

export interface Sink {
  write(text: string): Promise<void>;
  readonly bytes: number;
  /** Finishes the file under its final name. */
  end(): Promise<{ bytes: number; sha256: string }>;
  /** Removes the incomplete file. */
  discard(): Promise<void>;
}

/** Buffers, counts and hashes text; one fixed buffer needs far less memory than a growing string. */
class BufferedWriter {
  /** Writes bytes, which are reused once it resolves. */
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  readonly #hash: Hash = createHash("sha256");
  readonly #buffer = Buffer.allocUnsafe(BUFFER_SIZE);
  #length = 0;
  bytes = 0;

  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write;
  }

  async write(text: string): Promise<void> {
    const maxBytes = text.length * MAX_BYTES_PER_UNIT;
    if (maxBytes > BUFFER_SIZE - this.#length) await this.#flush();
    if (maxBytes > BUFFER_SIZE) await this.#writeOut(Buffer.from(text, "utf8"));
    else this.#length += this.#buffer.write(text, this.#length, "utf8");
  }

  async #flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    if (bytes.length > 0) await this.#writeOut(bytes);
  }

  async #writeOut(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.bytes += bytes.length;
    await this.#write(bytes);
  }

  async end(): Promise<{ bytes: number; sha256: string }> {
    await this.#flush();
    return { bytes: this.bytes, sha256: this.#hash.digest("hex") };
  }
}

export function outputSink(write: (bytes: Uint8Array) => Promise<void>): Sink {
  // Copied: standard output may use the bytes after its callback.
  const gathered = new BufferedWriter((bytes) => write(Buffer.from(bytes)));
  return {
    write: (text) => gathered.write(text),
    get bytes() {
      return gathered.bytes;
    },
    end: () => gathered.end(),
    discard: async () => {},
  };
}

/** A killed run may have left a part, also as a second name of its finished file, which must not be written to. */
function dropPart(part: string): void {
  if (lstatSync(part, { throwIfNoEntry: false })?.isFile()) rmSync(part);
}

/** Renames a finished part to its final name. Throws `OutputExists` for a file that may not be replaced. */
export function finishPart(part: string, file: string, place: OutputPlace): void {
  const mayReplace = place.mayReplace(file);
  place.finishes(file, part);
  if (mayReplace) return renameSync(part, file);
  try {
    linkSync(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new OutputExists(file);
    // The file system has no hard links.
    return renameSync(part, file);
  }
  rmSync(part);
}

/** Writes to a `.part` file first; creates missing folders. Throws `OutputFailed`. */
export async function fileSink(file: string, place: OutputPlace): Promise<Sink> {
  const part = `${file}.part`;
  let unmake = (): void => {};
  let handle: FileHandle | undefined;
  try {
    handle = await onFile(file, () => {
      unmake = prepareFile(file, place);
      dropPart(part);
      return open(part, "w", 0o600);
    });
  } catch (error) {
    unmake();
    throw error;
  }
  const gathered = new BufferedWriter((bytes) => onFile(file, () => handle!.writeFile(bytes)));
  const drop = async (): Promise<void> => {
    await handle?.close().catch(() => {});
    handle = undefined;
    rmSync(part, { force: true });
    unmake();
  };
  return {
    write: (text) => gathered.write(text),
    get bytes() {
      return gathered.bytes;
    },
    async end() {
      const written = await gathered.end();
      await onFile(file, async () => {
        await handle!.sync();
        await handle!.close();
        handle = undefined;
        finishPart(part, file, place);
      });
      return written;
    },
    discard: drop,
  };
}

/** Stands for a file that could not be written, so that those that follow begin where they would have. */
export const lostSink = (bytes = 0): Sink => ({
  write: async (text) => void (bytes += Buffer.byteLength(text)),
  get bytes() {
    return bytes;
  },
  end: async () => ({ bytes, sha256: "" }),
  discard: async () => {},
});
