/** Suspends the program (Ctrl-Z) and notices when it continues. */

interface Killer {
  kill(pid: number, signal: string): boolean;
}

/** A job whose group has no shell behind it is not stopped by SIGTSTP: then we are back after this long (ms). */
const NOT_STOPPED_MS = 250;

export class Stopper {
  readonly #process: Killer;
  #wake: (() => void) | undefined;

  constructor(process: Killer) {
    this.#process = process;
  }

  /** Resolves after SIGCONT. The timer also keeps the event loop alive: an empty one would end the process on `fg`. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, NOT_STOPPED_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      // The whole group, as the terminal driver does it: a parent that waits for us belongs to the job.
      this.#process.kill(0, "SIGTSTP");
    });
    // A SIGCONT that is still on its way belongs to this stop.
    setTimeout(() => (this.#wake = undefined), NOT_STOPPED_MS).unref();
  }

  /** True when the SIGCONT that came was the end of our own stop. */
  continued(): boolean {
    if (!this.#wake) return false;
    this.#wake();
    return true;
  }
}
