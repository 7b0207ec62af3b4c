/** Watches files on their way: nobody holds a socket with one that hardly moves (specification/security.md §1). */
import { SLOWEST_FILE } from "../../wire/constants.ts";

/** Calls `onTooSlow` once when a file moves fewer bytes than `SLOWEST_FILE` allows. */
export class FilePace {
  #bytes = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(onTooSlow: () => void) {
    this.#timer = setInterval(() => {
      if (this.#bytes >= SLOWEST_FILE.bytes) return void (this.#bytes = 0);
      this.stop();
      onTooSlow();
    }, SLOWEST_FILE.within).unref();
  }

  moved(bytes: number): void {
    this.#bytes += bytes;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

export const TOO_SLOW = `a file has to move at least ${SLOWEST_FILE.bytes} bytes in ${SLOWEST_FILE.within / 1000} seconds`;
