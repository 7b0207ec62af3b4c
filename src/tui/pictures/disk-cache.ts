/** Caches pictures on disk by content hash and URL, limited in size; the least recently used are deleted first. */
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";

/** Maximum size of the folder in bytes. */
const MAX_FOLDER_BYTES = 64 * 1024 * 1024;
/** How long a URL is assumed to have the same content, milliseconds. */
const FRESH_MS = 7 * 24 * 3600_000;
/** The end of the names of files that hold the hash for a URL: written when it was fetched, and accessed when it was used last. */
const ADDRESS = ".at";

/** Query parameters that sign a URL and do not identify the file. */
const SIGNATURE_PARAMETERS = /^(expires|sig|signature|policy|key-pair-id|x-amz-.*)$/i;

/** The same for all signed URLs of one file. */
export function addressKey(address: string): string {
  const url = new URL(address);
  const names = url.searchParams.keys().toArray();
  for (const name of names) if (SIGNATURE_PARAMETERS.test(name)) url.searchParams.delete(name);
  return createHash("sha256").update(url.href).digest("hex");
}

export class DiskCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  #folderCreated: Promise<unknown> | undefined;
  #partCount = 0;

  constructor(folder: string, maxBytes = MAX_FOLDER_BYTES) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  #pathOf(name: string): string {
    return path.join(this.#folder, name);
  }

  /** The file with the content of a URL; if it is not cached, `fetch` writes it and returns its SHA-256. */
  async fileOf(address: string, fetch: (file: string) => Promise<string>): Promise<string> {
    await (this.#folderCreated ??= mkdir(this.#folder, { recursive: true, mode: 0o700 }));
    const hashFile = this.#pathOf(`${addressKey(address)}${ADDRESS}`);
    const cached = await this.#cachedFile(hashFile);
    if (cached !== undefined) return cached;
    const part = this.#pathOf(`${process.pid}-${++this.#partCount}.part`);
    try {
      const hash = await fetch(part);
      const file = this.#pathOf(hash);
      await rename(part, file);
      await writeFile(hashFile, hash, { mode: 0o600 });
      return file;
    } finally {
      await rm(part, { force: true });
      await this.#trim();
    }
  }

  async #cachedFile(hashFile: string): Promise<string | undefined> {
    try {
      const { mtime } = await stat(hashFile);
      if (Date.now() - mtime.getTime() > FRESH_MS) return undefined;
      const hash = await readFile(hashFile, "utf8");
      if (!/^[\da-f]{64}$/.test(hash)) return undefined;
      const file = this.#pathOf(hash);
      const now = new Date();
      await utimes(file, now, now);
      // The address stays as old as it is, and is as much in use as its picture.
      await utimes(hashFile, now, mtime);
      return file;
    } catch {
      return undefined;
    }
  }

  async #trim(): Promise<void> {
    const names = await readdir(this.#folder).catch((): string[] => []);
    const files = await Promise.all(
      names.map(async (name) => {
        const stats = await stat(this.#pathOf(name)).catch(() => undefined);
        const usedAt = (name.endsWith(ADDRESS) ? stats?.atimeMs : stats?.mtimeMs) ?? 0;
        return { name, size: stats?.size ?? 0, usedAt };
      }),
    );
    let size = files.reduce((sum, file) => sum + file.size, 0);
    for (const file of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (size <= this.#maxBytes) return;
      await rm(this.#pathOf(file.name), { force: true });
      size -= file.size;
    }
  }
}
