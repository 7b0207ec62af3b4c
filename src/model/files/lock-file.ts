/** A file beside another says which process works on it; one whose process is gone counts for nothing. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { isOwnerAlive, thisOwner } from "./owner.ts";

/** Whose it is; empty when it went away just now. */
function ownerIn(lock: string): string {
  try {
    return readFileSync(lock, "utf8");
  } catch {
    return "";
  }
}

/** Gives it back; undefined when another process has it. */
export function takeLock(lock: string): (() => void) | undefined {
  for (;;)
    try {
      writeFileSync(lock, thisOwner(), { flag: "wx", mode: 0o600 });
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const owner = ownerIn(lock);
      if (owner !== "" && isOwnerAlive(owner)) return undefined;
      rmSync(lock, { force: true });
    }
}
