/** Temporary folders of this process, and those that killed ones have left. */
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isOwnerAlive, thisOwner } from "./owner.ts";

/** Process, its start, and the world in which its number counts: a container has numbers of its own. */
const NAME = /^parley-(\d+)-(\d*)-(\d*)-\w+$/;

function numbersOf(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "";
  } catch {
    return "";
  }
}

/** Whether a folder is of this user, and of a process of this world that has ended. */
function isLeft(name: string, world: string): boolean {
  const [, pid, start, of] = NAME.exec(name) ?? [];
  if (pid === undefined || of !== world || isOwnerAlive(`${pid}:${start}`)) return false;
  const stats = lstatSync(path.join(tmpdir(), name));
  return stats.isDirectory() && stats.uid === process.getuid?.();
}

/** Removes the temporary folders of killed processes of this user. */
export function removeLeftFolders(): void {
  const world = numbersOf();
  for (const name of readdirSync(tmpdir()))
    try {
      if (isLeft(name, world)) rmSync(path.join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Another process removes it, too.
    }
}

let hasLooked = false;

/** Makes a folder that only this user can read; whoever makes it removes it. The first one of a process removes those of killed ones. */
export function makeTemporaryFolder(): string {
  if (!hasLooked) removeLeftFolders();
  hasLooked = true;
  return mkdtempSync(path.join(tmpdir(), `parley-${thisOwner().replace(":", "-")}-${numbersOf()}-`));
}
