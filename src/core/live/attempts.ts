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

  /** A number for what runs beside the current attempt. */
  reserve(): number {
    return ++this.#last;
  }

  /** Whatever went on before is late from now on. */
  begin(): number {
    this.#attempt = undefined;
    return (this.#current = this.reserve());
  }

  isCurrent(number: number): boolean {
    return number === this.#current;
  }

  /** What was dialled under this number is there; nobody waits for a late one. */
  arrived(number: number, attempt: Attempt): void {
    if (this.isCurrent(number)) this.#attempt ??= attempt;
    else attempt.drop();
  }

  /** Ends the current attempt without a word to it. */
  drop(): void {
    const attempt = this.#attempt;
    this.begin();
    attempt?.drop();
  }

  /** Another attempt takes the place of the current one, which is given back. */
  replace(number: number, attempt: Attempt | undefined): Attempt | undefined {
    const old = this.#attempt;
    this.#current = number;
    this.#attempt = attempt;
    return old;
  }
}
