/** Gives every author a number for a colour at first sight, so that no two of a channel look alike while there are enough colours. */
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
  readonly #channels = new Map<string, Map<string, number>>();

  /** A person has the same number in all channels, unless another in the channel has it. */
  numberIn(cid: string, userId: string): number {
    let channel = this.#channels.get(cid);
    if (!channel) this.#channels.set(cid, (channel = new Map()));
    let number = channel.get(userId);
    if (number === undefined) channel.set(userId, (number = freeFrom(this.#of(userId), channel.values())));
    return number;
  }

  /** The first choice follows from the id, so that it is mostly the same in every run. */
  #of(userId: string): number {
    let number = this.#people.get(userId);
    if (number === undefined) {
      number = freeFrom(colorNumber(userId) % COLOURS, this.#people.values());
      this.#people.set(userId, number);
    }
    return number;
  }
}
