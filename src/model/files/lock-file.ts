/** Lock files that name the process holding them; the lock of a dead process is ignored. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isOwnerAlive, thisOwner } from "./owner.ts";

/** An empty lock file is being written; one that has stayed empty so long is of a process killed before it could write. Milliseconds. */
const MAX_EMPTY = 5000;

function stateOf(lock: string): "free" | "held" | "dead" {
  try {
    const owner = readFileSync(lock, "utf8");
    if (owner !== "") return isOwnerAlive(owner) ? "held" : "dead";
    return Date.now() - statSync(lock).mtimeMs < MAX_EMPTY ? "held" : "dead";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "free";
    throw error;
  }
}

/** Whether a living process holds the lock. */
export const isLocked = (lock: string): boolean => stateOf(lock) === "held";

/** Returns the function that releases the lock, or undefined if another process holds it. */
export function acquireLock(lock: string): (() => void) | undefined {
  for (;;)
    try {
      writeFileSync(lock, thisOwner(), { flag: "wx", mode: 0o600 });
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const state = stateOf(lock);
      if (state === "held") return undefined;
      if (state === "dead") removeDead(lock);
    }
}

/** Of several processes that find the lock of a dead one, only one takes it away; a new lock that came in its place is put back. */
function removeDead(lock: string): void {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (isLocked(aside)) renameSync(aside, lock);
  else rmSync(aside);
}
