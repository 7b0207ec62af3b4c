/** Named snapshots of a data folder: saved while the provider runs, restored while it does not. */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { takeFolderLock, type FolderLock } from "../../model/files/folder-lock.ts";
import { DATA_FILES } from "./identity.ts";

const FOLDER = "snapshots";
/** Parts of a snapshot besides the database: uploads, the clock's offset and the demo. */
const OTHER_PARTS = [DATA_FILES.uploads, DATA_FILES.clock, "demo"];
const NAME = /^[\w-]{1,64}$/;

export interface StoredSnapshot {
  name: string;
  saved_at: string;
  /** Bytes of the database. */
  size: number;
}

export const isSnapshotName = (name: string): boolean => NAME.test(name);
const snapshotFolder = (folder: string, name: string): string => path.join(folder, FOLDER, name);

/** `backup` writes the whole database to a new file; a snapshot of the same name is replaced once the new one is complete. */
export async function saveSnapshot(
  folder: string,
  name: string,
  backup: (file: string) => Promise<void>,
): Promise<StoredSnapshot> {
  const target = snapshotFolder(folder, name);
  const part = `${target}.${process.pid}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true, mode: 0o700 });
  try {
    await backup(path.join(part, DATA_FILES.database));
    for (const entry of OTHER_PARTS)
      if (existsSync(path.join(folder, entry)))
        cpSync(path.join(folder, entry), path.join(part, entry), { recursive: true });
    rmSync(target, { recursive: true, force: true });
    renameSync(part, target);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
  return read(folder, name);
}

/** Saves snapshots of a running provider one after the other; `done` waits for them before the database closes. */
export class SnapshotQueue {
  readonly #folder: string;
  readonly #backup: (file: string) => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, backup: (file: string) => Promise<void>) {
    this.#folder = folder;
    this.#backup = backup;
  }

  save(name: string): Promise<StoredSnapshot> {
    const saved = this.#last.then(() => saveSnapshot(this.#folder, name, this.#backup));
    this.#last = saved.catch(() => {});
    return saved;
  }

  async done(): Promise<void> {
    await this.#last;
  }
}

export function listSnapshots(folder: string): StoredSnapshot[] {
  const snapshots = path.join(folder, FOLDER);
  if (!existsSync(snapshots)) return [];
  return readdirSync(snapshots)
    .filter((name) => NAME.test(name) && existsSync(path.join(snapshots, name, DATA_FILES.database)))
    .map((name) => read(folder, name))
    .toSorted((a, b) => a.saved_at.localeCompare(b.saved_at));
}

/** How long to wait for a closing provider to release the folder, milliseconds. */
const LOCK_TIMEOUT = 5000;

/**
 * Restores a snapshot while holding the folder's lock: no provider may run there; waits for one that is closing.
 * False when there is no such snapshot. The files are copied beside the old state first, because copying takes long.
 */
export async function loadSnapshot(
  folder: string,
  name: string,
  lockTimeout: number = LOCK_TIMEOUT,
): Promise<boolean> {
  const source = snapshotFolder(folder, name);
  if (!NAME.test(name) || !existsSync(path.join(source, DATA_FILES.database))) return false;
  const lock = await waitForLock(path.join(folder, DATA_FILES.lock), lockTimeout);
  const copy = path.join(folder, `snapshot.${process.pid}.part`);
  try {
    rmSync(copy, { recursive: true, force: true });
    cpSync(source, copy, { recursive: true });
    for (const end of ["", "-wal", "-shm", "-journal", "-damaged"])
      rmSync(path.join(folder, DATA_FILES.database + end), { force: true });
    for (const entry of OTHER_PARTS) rmSync(path.join(folder, entry), { recursive: true, force: true });
    for (const entry of [...OTHER_PARTS, DATA_FILES.database])
      if (existsSync(path.join(copy, entry))) renameSync(path.join(copy, entry), path.join(folder, entry));
  } finally {
    rmSync(copy, { recursive: true, force: true });
    lock.release();
  }
  return true;
}

async function waitForLock(file: string, timeout: number): Promise<FolderLock> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const lock = takeFolderLock(file);
    if (lock) return lock;
    if (performance.now() > deadline) throw new Error("a provider is running in this folder; stop it first");
    await sleep(25);
  }
}

/** False when there is no such snapshot. */
export function removeSnapshot(folder: string, name: string): boolean {
  if (!NAME.test(name) || !existsSync(snapshotFolder(folder, name))) return false;
  rmSync(snapshotFolder(folder, name), { recursive: true, force: true });
  return true;
}

function read(folder: string, name: string): StoredSnapshot {
  const file = statSync(path.join(snapshotFolder(folder, name), DATA_FILES.database));
  return { name, saved_at: file.mtime.toISOString(), size: file.size };
}
