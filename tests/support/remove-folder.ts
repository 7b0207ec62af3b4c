/** Removes a folder while programs in it may still be ending. */
import { existsSync, rmSync } from "node:fs";

const TRIES = 100;

/** `rmSync` silently stops when a file vanishes while it works, so it is called until the folder is gone. Throws the error of the last try. */
export function removeFolder(folder: string): void {
  for (let tries = 1; existsSync(folder); tries++)
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
      if (tries >= TRIES) throw new Error(`${folder} comes back as often as it is removed`);
    } catch (error) {
      if (tries >= TRIES) throw error;
    }
}
