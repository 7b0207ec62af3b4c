/** Where the text of an export is written: standard output, or a file that is complete or absent, with its checksum. */
import { createHash, type Hash } from "node:crypto";
import { linkSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { asStoreFailure } from "../../model/files/storage.ts";

/** Bytes that are gathered before they are written. */
const GATHERED = 256 * 1024;

/** Bytes of UTF-8 that a UTF-16 unit may take. */
const WIDEST = 3;

/** Something stands where a file shall be written. */
export class FileThere extends Error {
  readonly file: string;
  constructor(file: string) {
    super(`${file} already exists`);
    this.file = file;
  }
}

export interface Sink {
  write(text: string): Promise<void>;
  /** Bytes so far. */
  readonly bytes: number;
  /** The file stands under its name now. */
  end(): Promise<{ bytes: number; sha256: string }>;
  /** Nothing of it stays. */
  drop(): Promise<void>;
}

/** Gathers pieces in one buffer, counts and hashes them: a text that grows piece by piece costs several times its length. */
class Gathered {
  /** The bytes are overwritten once it is done. */
  readonly #put: (bytes: Uint8Array) => Promise<void>;
  readonly #hash: Hash = createHash("sha256");
  readonly #waiting = Buffer.allocUnsafe(GATHERED);
  #length = 0;
  bytes = 0;

  constructor(put: (bytes: Uint8Array) => Promise<void>) {
    this.#put = put;
  }

  async write(text: string): Promise<void> {
    const most = text.length * WIDEST;
    if (most > GATHERED - this.#length) await this.#flush();
    if (most > GATHERED) await this.#out(Buffer.from(text, "utf8"));
    else this.#length += this.#waiting.write(text, this.#length, "utf8");
  }

  async #flush(): Promise<void> {
    const bytes = this.#waiting.subarray(0, this.#length);
    this.#length = 0;
    if (bytes.length > 0) await this.#out(bytes);
  }

  async #out(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.bytes += bytes.length;
    await this.#put(bytes);
  }

  async end(): Promise<{ bytes: number; sha256: string }> {
    await this.#flush();
    return { bytes: this.bytes, sha256: this.#hash.digest("hex") };
  }
}

export function outputSink(put: (bytes: Uint8Array) => Promise<void>): Sink {
  // Standard output may keep them longer than it says.
  const gathered = new Gathered((bytes) => put(Buffer.from(bytes)));
  return {
    write: (text) => gathered.write(text),
    get bytes() {
      return gathered.bytes;
    },
    end: () => gathered.end(),
    drop: async () => {},
  };
}

/** Gives a finished part its name. Throws `FileThere` unless it may replace what stands there. */
export function settle(part: string, file: string, over: boolean): void {
  if (over) return renameSync(part, file);
  try {
    linkSync(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new FileThere(file);
    // A file system without links.
    return renameSync(part, file);
  }
  rmSync(part);
}

/** By way of a name beside it; the folders are made. */
export async function fileSink(file: string, over: boolean): Promise<Sink> {
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
  const gathered = new Gathered((bytes) => onDisk(() => handle!.writeFile(bytes)));
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
      settle(part, file, over);
      return written;
    },
    drop,
  };
}
