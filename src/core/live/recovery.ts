/** Recovers after a reconnect: reloads channels, closes or shows gaps, fetches missed events, then delivers live events again (specification/realtime.md §7, R-REC). */
import type { AnyEvent } from "../../wire/events.ts";
import { compareTimes } from "../../wire/time.ts";
import { errorMessage } from "../../model/errors.ts";
import type { State } from "../../model/state.ts";
import { delay } from "../base/delay.ts";
import type { Timer } from "../base/ports.ts";
import { dropOlderMessages, recoverThreads, recoverTotals, syncChannels } from "./catch-up.ts";
import { recoverChannels } from "./recover-channels.ts";
import { RecoveryRun, type RecoveryDeps } from "./recovery-run.ts";
import { areTotalsPlausible } from "./totals.ts";

/** Most live events buffered during a recovery. */
export const MAX_BUFFERED_EVENTS = 10_000;

export class Recovery {
  readonly #deps: RecoveryDeps;
  #current: RecoveryRun | undefined;
  /** Provider time up to which nothing was missed. */
  #checkpoint: string | undefined;
  /** Newest provider time of this connection; becomes the checkpoint once the recovery is complete. */
  #newest: string | undefined;
  /** False from a lost connection to the end of a complete recovery: events may be missing meanwhile. */
  #isComplete = false;
  /** Channels loaded when the connection was lost, until a recovery is complete. */
  #loadedAtLoss: State["channels"] | undefined;
  /** Timer of the next run after a failed one, and the number of failed runs in a row. */
  #retry: Timer | undefined;
  #failures = 0;
  /** Number of the connection, to ignore runs whose connection was lost. */
  #connection = 0;

  constructor(deps: RecoveryDeps) {
    this.#deps = deps;
    this.#checkpoint = deps.checkpoint;
  }

  /** Provider time up to which nothing was missed; undefined when unknown. */
  checkpoint(): string | undefined {
    return this.#checkpoint;
  }

  /** Dispatches live events, or buffers them while a recovery runs. */
  onEvents(events: AnyEvent[]): void {
    // Events come in commit order: the last one is the newest.
    this.onProviderTime(events.at(-1)?.created_at);
    const run = this.#current;
    if (!run) return this.#deliver(events);
    for (const event of events) run.buffer.push(event);
    if (run.buffer.length > MAX_BUFFERED_EVENTS) this.#restart(run);
  }

  /** Everything of this connection up to this provider time has been received. */
  onProviderTime(createdAt: unknown): void {
    if (typeof createdAt !== "string" || compareTimes(createdAt, this.#newest) <= 0) return;
    this.#newest = createdAt;
    if (this.#isComplete) this.#checkpoint = createdAt;
  }

  /**
   * Runs after each opening. It also fetches the totals for a `resumed` session, which has no first frame, and where the channels
   * say otherwise than that frame. Resolves in any case.
   */
  async run(resumed = false): Promise<void> {
    const { machine, clock, listQuery } = this.#deps;
    const link = this.#connection;
    const run = this.#start(resumed);
    const isEmpty = machine.state().channels.size === 0 && listQuery() === undefined;
    if (!isEmpty) machine.apply({ kind: "link", link: { catchingUp: true } });
    // Channels loaded while the connection was down are stale too.
    if (!isEmpty) machine.apply({ kind: "stale" });
    const since = this.#checkpoint;
    try {
      const contiguous = await recoverChannels(run);
      await recoverThreads(run);
      if (since === undefined) dropOlderMessages(run, contiguous);
      else if (contiguous.length) await syncChannels(run, contiguous, since);
    } catch (error) {
      this.#failed(run, error);
    }
    if (this.#current !== run) return;
    this.#isComplete = run.complete;
    if (this.#isComplete && this.#newest !== undefined) this.#checkpoint = this.#newest;
    if (this.#isComplete) this.#loadedAtLoss = undefined;
    this.#release(run);
    if (resumed || !areTotalsPlausible(machine.state())) await recoverTotals(run);
    if (this.#current || link !== this.#connection) return;
    this.#failures = run.shouldRetry ? this.#failures + 1 : 0;
    // Nothing else would retry while the connection stays open (D6).
    if (run.shouldRetry) this.#retry = clock.setTimeout(() => void this.run(resumed), this.#pause());
    if (isEmpty) return;
    machine.apply({ kind: "link", link: { catchingUp: false } });
    machine.dispatch([this.#deps.local("connection.recovered")]);
  }

  /** The connection closed: ends a running recovery and delivers its buffered events. */
  stop(): void {
    const run = this.#current;
    this.#loadedAtLoss ??= this.#deps.machine.state().channels;
    this.#deps.clock.clearTimeout(this.#retry);
    this.#connection += 1;
    this.#failures = 0;
    this.#isComplete = false;
    this.#newest = undefined;
    if (!run) return;
    run.abort();
    this.#release(run);
    this.#deps.machine.apply({ kind: "link", link: { catchingUp: false } });
  }

  reset(): void {
    this.stop();
    this.#loadedAtLoss = undefined;
  }

  #start(resumed: boolean): RecoveryRun {
    this.#current?.abort();
    const held = (this.#loadedAtLoss ??= this.#deps.machine.state().channels);
    const run = new RecoveryRun(this.#deps, held, resumed, this.#failures, this.#current?.buffer);
    this.#current = run;
    // When a replacement takes over an open connection, `stop` was not called.
    this.#isComplete = false;
    this.#deps.clock.clearTimeout(this.#retry);
    return run;
  }

  #pause(): number {
    return delay(this.#failures, this.#deps.random.float());
  }

  /** Too many events during a recovery: delivers the buffered ones and starts over. */
  #restart(run: RecoveryRun): void {
    this.#deps.log.warn("a recovery starts over after too many events", { buffered: run.buffer.length });
    run.abort();
    this.#release(run);
    void this.run(true);
  }

  #failed(run: RecoveryRun, error: unknown): void {
    if (run.signal.aborted) return;
    run.complete = run.shouldRetry = false;
    this.#deps.log.error("recovery failed", { error: errorMessage(error) });
  }

  #release(run: RecoveryRun): void {
    this.#current = undefined;
    this.#deliver(run.buffer.slice(0, run.replayed), true);
    this.#deliver(run.buffer.slice(run.replayed));
    run.buffer.length = 0;
  }

  #deliver(events: AnyEvent[], past = false): void {
    if (events.length) this.#deps.machine.dispatch(events, past);
  }
}
