/** Reads folders for the file browser. */
import { words } from "../../text/words.ts";
import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { writeTempFile } from "./temp-files.ts";
import type { Disk, DiskEntry } from "../screen/host.ts";

/** How many files of a folder are sized, and how many at once. */
const MAX_SIZED_FILES = 2000;
const CONCURRENCY = 64;

const ERROR_WORDS: Record<string, string> = {
  ENOENT: words.disk.none,
  ENOTDIR: words.disk.file,
  EACCES: words.disk.forbidden,
  EPERM: words.disk.forbidden,
};

async function entryAt(file: string): Promise<DiskEntry | undefined> {
  const stats = await stat(file).catch(() => undefined);
  if (!stats) return undefined;
  const name = path.basename(file);
  if (stats.isDirectory()) return { name, kind: "folder" };
  return stats.isFile() ? { name, kind: "file", size: stats.size } : { name, kind: "other" };
}

async function list(folder: string): Promise<DiskEntry[]> {
  const items = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(ERROR_WORDS[error.code ?? ""] ?? words.disk.unreadable(String(error.code)));
  });
  const entries = items.map((item): DiskEntry => {
    const kind = item.isDirectory() ? "folder" : item.isFile() || item.isSymbolicLink() ? "file" : "other";
    return { name: item.name, kind };
  });
  const files = entries.filter(({ kind }) => kind === "file").slice(0, MAX_SIZED_FILES);
  for (let i = 0; i < files.length; i += CONCURRENCY)
    await Promise.all(
      files.slice(i, i + CONCURRENCY).map(async (entry) => {
        // A broken link cannot be opened.
        Object.assign(entry, (await entryAt(path.join(folder, entry.name))) ?? { kind: "other" });
      }),
    );
  return entries;
}

export const disk: Disk = { home: homedir(), cwd: process.cwd(), list, entryAt, writeTemp: writeTempFile };
