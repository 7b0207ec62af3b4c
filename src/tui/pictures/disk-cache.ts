/** Caches pictures on disk by content hash and URL, limited in size; the least recently used are deleted first. */
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";

/** Maximum size of the folder in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;
/** How long a URL is assumed to have the same content, milliseconds. */
const FRESH_MS = 7 * 24 * 3600_000;

/** Query parameters that sign a URL and do not identify the file. */
const SIGNATURES = /^(expires|sig|signature|policy|key-pair-id|x-amz-.*)$/i;

/** The same for all signed URLs of one file. */
export function addressKey(address: string): string {
  const url = new URL(address);
  const names = url.searchParams.keys().toArray();
  for (const name of names) if (SIGNATURES.test(name)) url.searchParams.delete(name);
  return createHash("sha256").update(url.href).digest("hex");
}

export class DiskCache {
  readonly #folder: string;
  readonly #most: number;
  #made: Promise<unknown> | undefined;
  #temporary = 0;

  constructor(folder: string, most = MOST_BYTES) {
    this.#folder = folder;
    this.#most = most;
  }

  #file(name: string): string {
    return path.join(this.#folder, name);
  }

  /** The file with the content of a URL; if it is not cached, `fetch` writes it and returns its SHA-256. */
  async fileOf(address: string, fetch: (file: string) => Promise<string>): Promise<string> {
    await (this.#made ??= mkdir(this.#folder, { recursive: true, mode: 0o700 }));
    const note = this.#file(`${addressKey(address)}.at`);
    const known = await this.#known(note);
    if (known !== undefined) return known;
    const part = this.#file(`${process.pid}-${++this.#temporary}.part`);
    try {
      const hash = await fetch(part);
      const file = this.#file(hash);
      await rename(part, file);
      await writeFile(note, hash, { mode: 0o600 });
      return file;
    } finally {
      await rm(part, { force: true });
      await this.#trim();
    }
  }

  async #known(note: string): Promise<string | undefined> {
    try {
      if (Date.now() - (await stat(note)).mtimeMs > FRESH_MS) return undefined;
      const hash = await readFile(note, "utf8");
      if (!/^[\da-f]{64}$/.test(hash)) return undefined;
      const file = this.#file(hash);
      const now = new Date();
      await utimes(file, now, now);
      return file;
    } catch {
      return undefined;
    }
  }

  async #trim(): Promise<void> {
    const names = await readdir(this.#folder).catch((): string[] => []);
    const files = await Promise.all(
      names.map(async (name) => {
        const found = await stat(this.#file(name)).catch(() => undefined);
        return { name, size: found?.size ?? 0, at: found?.mtimeMs ?? 0 };
      }),
    );
    let size = files.reduce((sum, one) => sum + one.size, 0);
    for (const one of files.toSorted((a, b) => a.at - b.at)) {
      if (size <= this.#most) return;
      await rm(this.#file(one.name), { force: true });
      size -= one.size;
    }
  }
}
