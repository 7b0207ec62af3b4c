/** After a reconnect: reloads what is loaded, closes or shows gaps, fetches missed events, then lets live events through again (specification/realtime.md §7, R-REC). */
import type { AnyEvent } from "../../wire/events.ts";
import { compareTimes } from "../../wire/time.ts";
import type { State } from "../../model/state.ts";
import { delay } from "../base/delay.ts";
import type { Timer } from "../base/ports.ts";
import { forgetOlder, recoverThreads, recoverTotals, syncChannels } from "./catch-up.ts";
import { recoverChannels } from "./recover-channels.ts";
import { RecoveryRun, type RecoveryDeps } from "./recovery-run.ts";

/** News that wait for the end of a recovery at most. */
export const MAX_BUFFERED_EVENTS = 10_000;

export class Recovery {
  readonly #deps: RecoveryDeps;
  #current: RecoveryRun | undefined;
  /** Provider time up to which nothing was missed. */
  #checkpoint: string | undefined;
  /** The newest provider time of this connection; it counts once the recovery is complete. */
  #newest: string | undefined;
  /** False from a lost link to the end of a complete recovery: what is seen meanwhile says nothing about what was missed. */
  #trusted = false;
  /** What was held when the link was lost, until a recovery was complete. */
  #heldAtLoss: State["channels"] | undefined;
  /** The next run after one whose steps failed, and how many such runs there were in a row. */
  #later: Timer | undefined;
  #failures = 0;
  /** Numbers the links: what a run does after its link was lost counts for nothing. */
  #link = 0;

  constructor(deps: RecoveryDeps) {
    this.#deps = deps;
    this.#checkpoint = deps.checkpoint;
  }

  /** Provider time up to which nothing was missed; undefined when that is not known. */
  checkpoint(): string | undefined {
    return this.#checkpoint;
  }

  /** Live events: dispatched at once, or held back while a recovery runs. */
  take(events: AnyEvent[]): void {
    // They come in commit order: the last one is the newest.
    this.seen(events.at(-1)?.created_at);
    const run = this.#current;
    if (!run) return this.#deliver(events);
    for (const event of events) run.buffer.push(event);
    if (run.buffer.length > MAX_BUFFERED_EVENTS) this.#overrun(run);
  }

  /** A health check: everything of this connection up to that provider time has been seen. */
  seen(createdAt: unknown): void {
    if (typeof createdAt !== "string" || compareTimes(createdAt, this.#newest) <= 0) return;
    this.#newest = createdAt;
    if (this.#trusted) this.#checkpoint = createdAt;
  }

  /** The link opened, or a session was `resumed` and no first frame told the totals. Resolves when it is over, however it ended. */
  async run(resumed = false): Promise<void> {
    const { machine, clock, listQuery } = this.#deps;
    const link = this.#link;
    const run = this.#start(resumed);
    const nothing = machine.state().channels.size === 0 && listQuery() === undefined;
    if (!nothing) machine.apply({ kind: "link", link: { catchingUp: true } });
    // What was asked while the link was down is behind too.
    if (!nothing) machine.apply({ kind: "stale" });
    const since = this.#checkpoint;
    try {
      const whole = await recoverChannels(run);
      await recoverThreads(run);
      if (since === undefined) forgetOlder(run, whole);
      else if (whole.length) await syncChannels(run, whole, since);
    } catch (error) {
      this.#failed(run, error);
    }
    if (this.#current !== run) return;
    this.#trusted = run.complete;
    if (this.#trusted && this.#newest !== undefined) this.#checkpoint = this.#newest;
    if (this.#trusted) this.#heldAtLoss = undefined;
    this.#release(run);
    if (resumed) await recoverTotals(run);
    if (this.#current || link !== this.#link) return;
    this.#failures = run.again ? this.#failures + 1 : 0;
    // Nothing else would ask again while the link stays open (D6).
    if (run.again) this.#later = clock.setTimeout(() => void this.run(resumed), this.#pause());
    if (nothing) return;
    machine.apply({ kind: "link", link: { catchingUp: false } });
    machine.dispatch([this.#deps.local("connection.recovered")]);
  }

  /** The link closed: a running recovery ends, what it held back is released. */
  stop(): void {
    const run = this.#current;
    this.#heldAtLoss ??= this.#deps.machine.state().channels;
    this.#deps.clock.clearTimeout(this.#later);
    this.#link += 1;
    this.#failures = 0;
    this.#trusted = false;
    this.#newest = undefined;
    if (!run) return;
    run.abort();
    this.#release(run);
    this.#deps.machine.apply({ kind: "link", link: { catchingUp: false } });
  }

  /** The user signed out: what was held for it is nobody's any more. */
  end(): void {
    this.stop();
    this.#heldAtLoss = undefined;
  }

  #start(resumed: boolean): RecoveryRun {
    this.#current?.abort();
    const held = (this.#heldAtLoss ??= this.#deps.machine.state().channels);
    const run = new RecoveryRun(this.#deps, held, resumed, this.#failures, this.#current?.buffer);
    this.#current = run;
    // A link that took the place of an open one was never told to stop, and is as ignorant as any new one.
    this.#trusted = false;
    this.#deps.clock.clearTimeout(this.#later);
    return run;
  }

  #pause(): number {
    return delay(this.#failures, this.#deps.random.float());
  }

  /** Too much happens while it asks: what is held back is shown as after a lost link, and all of it is asked anew. */
  #overrun(run: RecoveryRun): void {
    this.#deps.log.warn("a recovery begins anew behind a flood of news", { held: run.buffer.length });
    run.abort();
    this.#release(run);
    void this.run(true);
  }

  #failed(run: RecoveryRun, error: unknown): void {
    if (run.signal.aborted) return;
    run.complete = run.again = false;
    this.#deps.log.error("recovery failed", { error: error instanceof Error ? error.message : "unknown" });
  }

  #release(run: RecoveryRun): void {
    this.#current = undefined;
    this.#deliver(run.buffer.slice(0, run.early), true);
    this.#deliver(run.buffer.slice(run.early));
    run.buffer.length = 0;
  }

  #deliver(events: AnyEvent[], past = false): void {
    if (events.length) this.#deps.machine.dispatch(events, past);
  }
}
