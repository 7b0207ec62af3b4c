/** Decides when an outbox row may be tried again, by a monotonic clock (D4, D14). */
import type { Clock, Random } from "../base/ports.ts";
import type { OutboxRow } from "../base/outbox-row.ts";

/** Milliseconds. */
const FIRST_WAIT = 500;
export const MAX_RETRY_WAIT = 30_000;
/** Longest wait after a rate limit, milliseconds, whatever the provider says. */
const MAX_PARKED = 10 * 60_000;

type ActionKind = OutboxRow["action"]["kind"];

export class RetryClock {
  readonly #clock: Clock;
  readonly #random: Random;
  /** Row → monotonic time of its next try: a wall clock that is set back must not delay it. */
  readonly #due = new WeakMap<OutboxRow, number>();
  /** Row → failures in a row. */
  readonly #failures = new WeakMap<OutboxRow, number>();
  /** Kind of action → monotonic end of its rate limit. */
  readonly #limited = new Map<ActionKind, number>();

  constructor({ clock, random }: { clock: Clock; random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Reads the row's `notBefore`, which is wall clock. */
  set(row: OutboxRow): void {
    if (row.notBefore === undefined) return void this.#due.delete(row);
    const longest = row.state === "parked" ? MAX_PARKED : MAX_RETRY_WAIT;
    const ms = Math.min(longest, Math.max(0, row.notBefore - this.#clock.now()));
    this.#due.set(row, this.#clock.monotonic() + ms);
  }

  /** Counts a failure of the row; returns the wall clock of its next try. */
  backOff(row: OutboxRow): number {
    const failures = (this.#failures.get(row) ?? 0) + 1;
    this.#failures.set(row, failures);
    const longest = Math.min(MAX_RETRY_WAIT, FIRST_WAIT * 2 ** Math.min(failures - 1, 10));
    return this.#clock.now() + longest * (0.5 + this.#random.float() / 2);
  }

  /** Clears the row's failures: it may be tried now. */
  reset(row: OutboxRow): void {
    this.#due.delete(row);
    this.#failures.delete(row);
  }

  /** Sends no row of this kind before `until`, wall clock. */
  limit(kind: ActionKind, until: number): void {
    this.#limited.set(kind, this.#clock.monotonic() + Math.min(MAX_PARKED, until - this.#clock.now()));
  }

  unlimit(kind: ActionKind): void {
    this.#limited.delete(kind);
  }

  /** Monotonic time of the row's next try; `now` when it may be tried at once. */
  readyAt(row: OutboxRow, now: number): number {
    return Math.max(this.#due.get(row) ?? now, this.#limited.get(row.action.kind) ?? 0, now);
  }
}
