/** Writes the text of an export to standard output or atomically to a file, with its checksum. */
import { createHash, type Hash } from "node:crypto";
import { linkSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { asStoreFailure } from "../../model/files/storage.ts";

const BUFFER_SIZE = 256 * 1024;

/** Maximum UTF-8 bytes per UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

export class OutputExists extends Error {
  readonly file: string;
  constructor(file: string) {
    super(`${file} already exists`);
    this.file = file;
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

/** Renames a finished part to its final name. Throws `OutputExists` for an existing file, unless `overwrite`. */
export function finishPart(part: string, file: string, overwrite: boolean): void {
  if (overwrite) return renameSync(part, file);
  try {
    linkSync(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new OutputExists(file);
    // The file system has no hard links.
    return renameSync(part, file);
  }
  rmSync(part);
}

/** Writes to a `.part` file first; creates missing folders. */
export async function fileSink(file: string, overwrite: boolean): Promise<Sink> {
  const part = `${file}.part`;
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  let handle: FileHandle | undefined = await open(part, "w", 0o600);
  const onDisk = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      throw asStoreFailure(error, file);
    }
  };
  const gathered = new BufferedWriter((bytes) => onDisk(() => handle!.writeFile(bytes)));
  const drop = async (): Promise<void> => {
    await handle?.close().catch(() => {});
    handle = undefined;
    rmSync(part, { force: true });
  };
  return {
    write: (text) => gathered.write(text),
    get bytes() {
      return gathered.bytes;
    },
    async end() {
      const written = await gathered.end();
      await onDisk(() => handle!.sync());
      await handle!.close();
      handle = undefined;
      finishPart(part, file, overwrite);
      return written;
    },
    discard: drop,
  };
}
