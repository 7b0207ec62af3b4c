/** Suspends the program (Ctrl-Z) and detects when it continues. */

interface Killer {
  kill(pid: number, signal: string): boolean;
}

/** SIGTSTP has no effect on an orphaned process group: the wait ends after this time then (ms). */
const NOT_STOPPED_MS = 250;

export class Stopper {
  readonly #process: Killer;
  #wake: (() => void) | undefined;

  constructor(process: Killer) {
    this.#process = process;
  }

  /** Resolves after SIGCONT. The timer also keeps the event loop alive, so that the process does not end on `fg`. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, NOT_STOPPED_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      // Stops the whole process group like the terminal driver: a waiting parent belongs to the job.
      this.#process.kill(0, "SIGTSTP");
    });
    // A SIGCONT that arrives late still belongs to this stop.
    setTimeout(() => (this.#wake = undefined), NOT_STOPPED_MS).unref();
  }

  /** True if the SIGCONT ended a stop of this object. */
  continued(): boolean {
    if (!this.#wake) return false;
    this.#wake();
    return true;
  }
}
