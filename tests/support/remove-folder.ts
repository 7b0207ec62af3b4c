/** Removes a folder whose programs may be ending still. */
import { existsSync, rmSync } from "node:fs";

const TRIES = 100;

/**
 * Node takes a file that vanished under its hands for the end of its work and leaves the rest without a word, so it is
 * asked until nothing is there. Throws what `rmSync` throws at the last try.
 */
export function removeFolder(folder: string): void {
  for (let tries = 1; existsSync(folder); tries++)
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
      if (tries >= TRIES) throw new Error(`${folder} comes back as often as it is removed`);
    } catch (error) {
      if (tries >= TRIES) throw error;
    }
}
