/** Suspends the program (Ctrl-Z) and detects when it continues. */

interface SignalSender {
  kill(pid: number, signal: string): boolean;
}

/** SIGTSTP has no effect on an orphaned process group: the wait ends after this time then (ms). */
const STOP_TIMEOUT_MS = 250;

export class Stopper {
  readonly #process: SignalSender;
  #resume: (() => void) | undefined;

  constructor(process: SignalSender) {
    this.#process = process;
  }

  /** Resolves after SIGCONT. The timer also keeps the event loop alive, so that the process does not end on `fg`. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, STOP_TIMEOUT_MS);
      this.#resume = () => {
        clearTimeout(timer);
        resolve();
      };
      // Stops the whole process group like the terminal driver: a waiting parent belongs to the job.
      this.#process.kill(0, "SIGTSTP");
    });
    // A SIGCONT that arrives late still belongs to this stop.
    setTimeout(() => (this.#resume = undefined), STOP_TIMEOUT_MS).unref();
  }

  /** True if the SIGCONT ended a stop of this object. */
  continued(): boolean {
    if (!this.#resume) return false;
    this.#resume();
    return true;
  }
}
