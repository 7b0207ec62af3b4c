/** Gives every person a number for a colour at first sight, the same everywhere; no two look alike while there are enough colours. */
import { colorNumber } from "./theme.ts";

/** Colours of a theme for names; with fewer, numbers share one. */
const COLOURS = 10;

/** The first free number from `first` on, around; `first` if none is. */
function freeFrom(first: number, taken: Iterable<number>): number {
  const used = new Set(taken);
  for (let step = 0; step < COLOURS; step++)
    if (!used.has((first + step) % COLOURS)) return (first + step) % COLOURS;
  return first;
}

export class AuthorNumbers {
  readonly #people = new Map<string, number>();

  /** The first choice follows from the id, so that it is mostly the same in every run. */
  numberOf(userId: string): number {
    let number = this.#people.get(userId);
    if (number === undefined) {
      number = freeFrom(colorNumber(userId) % COLOURS, this.#people.values());
      this.#people.set(userId, number);
    }
    return number;
  }
}
