/** Reads folders for the file browser. */
import { words } from "../../text/words.ts";
import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { writeTempFile } from "./temp-files.ts";
import type { Disk, DiskEntry } from "../screen/host.ts";

/** How many files of a folder are sized, and how many at once. */
const MOST_SIZED = 2000;
const CONCURRENCY = 64;

const ERROR_WORDS: Record<string, string> = {
  ENOENT: words.disk.none,
  ENOTDIR: words.disk.file,
  EACCES: words.disk.forbidden,
  EPERM: words.disk.forbidden,
};

async function entryAt(file: string): Promise<DiskEntry | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return undefined;
  const name = path.basename(file);
  if (found.isDirectory()) return { name, kind: "folder" };
  return found.isFile() ? { name, kind: "file", size: found.size } : { name, kind: "other" };
}

async function list(folder: string): Promise<DiskEntry[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(ERROR_WORDS[error.code ?? ""] ?? words.disk.unreadable(String(error.code)));
  });
  const entries = found.map((one): DiskEntry => {
    const kind = one.isDirectory() ? "folder" : one.isFile() || one.isSymbolicLink() ? "file" : "other";
    return { name: one.name, kind };
  });
  const files = entries.filter(({ kind }) => kind === "file").slice(0, MOST_SIZED);
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
