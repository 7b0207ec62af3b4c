/** Lock files that name the process holding them; the lock of a dead process is ignored. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { isOwnerAlive, thisOwner } from "./owner.ts";

/** The owner in a lock file; empty if it was just removed. */
function ownerIn(lock: string): string {
  try {
    return readFileSync(lock, "utf8");
  } catch {
    return "";
  }
}

/** Whether a living process holds the lock. */
export function isLocked(lock: string): boolean {
  const owner = ownerIn(lock);
  return owner !== "" && isOwnerAlive(owner);
}

/** Returns the function that releases the lock, or undefined if another process holds it. */
export function acquireLock(lock: string): (() => void) | undefined {
  for (;;)
    try {
      writeFileSync(lock, thisOwner(), { flag: "wx", mode: 0o600 });
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (isLocked(lock)) return undefined;
      rmSync(lock, { force: true });
    }
}
