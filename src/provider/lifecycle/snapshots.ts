/** Snapshots of a data folder by name: saved while the provider runs, restored while it does not. */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { takeFolderLock } from "../store/lock.ts";
import { DATA_FILES } from "./identity.ts";

const FOLDER = "snapshots";
/** What besides the database belongs to a state: uploads, and how far the clock was moved. */
const BESIDES = [DATA_FILES.uploads, DATA_FILES.clock, "demo"];
const NAME = /^[\w-]{1,64}$/;

export interface StoredSnapshot {
  name: string;
  /** RFC 3339. */
  saved_at: string;
  /** Bytes of the database. */
  size: number;
}

export const isSnapshotName = (name: string): boolean => NAME.test(name);
const at = (folder: string, name: string): string => path.join(folder, FOLDER, name);

/** `backup` writes the whole database to a new file; a snapshot of the same name is replaced once the new one is whole. */
export async function saveSnapshot(
  folder: string,
  name: string,
  backup: (file: string) => Promise<void>,
): Promise<StoredSnapshot> {
  const target = at(folder, name);
  const part = `${target}.${process.pid}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true, mode: 0o700 });
  try {
    await backup(path.join(part, DATA_FILES.database));
    for (const one of BESIDES)
      if (existsSync(path.join(folder, one)))
        cpSync(path.join(folder, one), path.join(part, one), { recursive: true });
    rmSync(target, { recursive: true, force: true });
    renameSync(part, target);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
  return read(folder, name);
}

/** Snapshots of a running provider are saved one after the other, and its database stays open for them. */
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
  const home = path.join(folder, FOLDER);
  if (!existsSync(home)) return [];
  return readdirSync(home)
    .filter((name) => NAME.test(name) && existsSync(path.join(home, name, DATA_FILES.database)))
    .map((name) => read(folder, name))
    .toSorted((a, b) => a.saved_at.localeCompare(b.saved_at));
}

/** A provider that was told to stop has this long to close its files, milliseconds. */
const LAST_WRITES = 5000;

/**
 * Puts a state back, holding the folder's lock: no provider may run there, one that is just ending is waited for.
 * False when there is no such snapshot. What takes long is copied beside the old state first.
 */
export async function loadSnapshot(
  folder: string,
  name: string,
  patience: number = LAST_WRITES,
): Promise<boolean> {
  const source = at(folder, name);
  if (!NAME.test(name) || !existsSync(path.join(source, DATA_FILES.database))) return false;
  const lock = await waitForLock(path.join(folder, DATA_FILES.lock), patience);
  const fresh = path.join(folder, `snapshot.${process.pid}.part`);
  try {
    rmSync(fresh, { recursive: true, force: true });
    cpSync(source, fresh, { recursive: true });
    for (const end of ["", "-wal", "-shm", "-journal", "-damaged"])
      rmSync(path.join(folder, DATA_FILES.database + end), { force: true });
    for (const one of BESIDES) rmSync(path.join(folder, one), { recursive: true, force: true });
    for (const one of [...BESIDES, DATA_FILES.database])
      if (existsSync(path.join(fresh, one))) renameSync(path.join(fresh, one), path.join(folder, one));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    lock.release();
  }
  return true;
}

async function waitForLock(file: string, patience: number): Promise<{ release(): void }> {
  const deadline = performance.now() + patience;
  for (;;) {
    const lock = takeFolderLock(file);
    if (lock) return lock;
    if (performance.now() > deadline) throw new Error("a provider is running in this folder; stop it first");
    await sleep(25);
  }
}

/** False when there is none. */
export function removeSnapshot(folder: string, name: string): boolean {
  if (!NAME.test(name) || !existsSync(at(folder, name))) return false;
  rmSync(at(folder, name), { recursive: true, force: true });
  return true;
}

function read(folder: string, name: string): StoredSnapshot {
  const file = statSync(path.join(at(folder, name), DATA_FILES.database));
  return { name, saved_at: file.mtime.toISOString(), size: file.size };
}
