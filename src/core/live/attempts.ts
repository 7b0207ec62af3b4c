/** The current connection attempt, numbered so that late events of older attempts are dropped (specification/realtime.md §5). */
import type { Attempt } from "./connection-attempt.ts";

export class Attempts {
  #last = 0;
  #current = 0;
  #attempt: Attempt | undefined;

  get attempt(): Attempt | undefined {
    return this.#attempt;
  }

  get number(): number {
    return this.#current;
  }

  /** A number for an attempt beside the current one. */
  reserve(): number {
    return ++this.#last;
  }

  /** Starts a new attempt; events of earlier ones are late from now on. */
  begin(): number {
    this.#attempt = undefined;
    return (this.#current = this.reserve());
  }

  isCurrent(number: number): boolean {
    return number === this.#current;
  }

  /** The attempt with this number was dialled; a late one is dropped. */
  opened(number: number, attempt: Attempt): void {
    if (this.isCurrent(number)) this.#attempt ??= attempt;
    else attempt.drop();
  }

  drop(): void {
    const attempt = this.#attempt;
    this.begin();
    attempt?.drop();
  }

  /** Replaces the current attempt and returns it. */
  replace(number: number, attempt: Attempt | undefined): Attempt | undefined {
    const old = this.#attempt;
    this.#current = number;
    this.#attempt = attempt;
    return old;
  }
}
