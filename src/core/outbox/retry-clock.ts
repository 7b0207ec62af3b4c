/** When a row of the outbox may be tried again, by a clock that never goes back (D4, D14). */
import type { Clock, Random } from "../base/ports.ts";
import type { OutboxRow } from "../base/outbox-row.ts";

/** Milliseconds. */
const FIRST_WAIT = 500;
export const LONGEST_WAIT = 30_000;
/** A refusal's window is not believed to be longer than this, milliseconds. */
const LONGEST_PARKED = 10 * 60_000;

type ActionKind = OutboxRow["action"]["kind"];

export class RetryClock {
  readonly #clock: Clock;
  readonly #random: Random;
  /** Row → monotonic moment of its next try: a wall clock that jumps back must not hold a row up. */
  readonly #due = new WeakMap<OutboxRow, number>();
  /** Row → failures in a row. */
  readonly #failures = new WeakMap<OutboxRow, number>();
  /** Kind of action → monotonic moment: one refusal a window. */
  readonly #limited = new Map<ActionKind, number>();

  constructor({ clock, random }: { clock: Clock; random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Takes over the row's `notBefore`, which is wall clock. */
  set(row: OutboxRow): void {
    if (row.notBefore === undefined) return void this.#due.delete(row);
    const longest = row.state === "parked" ? LONGEST_PARKED : LONGEST_WAIT;
    const ms = Math.min(longest, Math.max(0, row.notBefore - this.#clock.now()));
    this.#due.set(row, this.#clock.monotonic() + ms);
  }

  /** One more failure of the row; gives back the wall clock of its next try. */
  backOff(row: OutboxRow): number {
    const failures = (this.#failures.get(row) ?? 0) + 1;
    this.#failures.set(row, failures);
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failures - 1, 10));
    return this.#clock.now() + longest * (0.5 + this.#random.float() / 2);
  }

  /** Its next try is its first again, and may be now. */
  reset(row: OutboxRow): void {
    this.#due.delete(row);
    this.#failures.delete(row);
  }

  /** Nothing of the kind is sent before `until`, wall clock. */
  limit(kind: ActionKind, until: number): void {
    this.#limited.set(kind, this.#clock.monotonic() + Math.min(LONGEST_PARKED, until - this.#clock.now()));
  }

  unlimit(kind: ActionKind): void {
    this.#limited.delete(kind);
  }

  /** Monotonic moment of the row's next try; `now` when it may be tried at once. */
  readyAt(row: OutboxRow, now: number): number {
    return Math.max(this.#due.get(row) ?? now, this.#limited.get(row.action.kind) ?? 0, now);
  }
}
