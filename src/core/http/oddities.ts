/** Counts what of answers and events was other than the protocol says, by call or event and field. */
import type { NoteOddity } from "../../wire/reading.ts";
import type { Log } from "../base/ports.ts";

/** Most fields that are counted apart: a provider could name any number of them. */
const MAX_FIELDS = 200;

export interface Oddity {
  /** `QueryChannels messages.user` */
  readonly field: string;
  count: number;
  /** Something cannot be shown because of it. */
  lost: boolean;
}

export class Oddities {
  readonly #log: Log;
  readonly #found = new Map<string, Oddity>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** The most frequent first. */
  readonly all = (): Oddity[] => [...this.#found.values()].toSorted((a, b) => b.count - a.count);

  /** Notes oddities of a call or event; the log has each field the first time, then with decreasing frequency. */
  of(what: string): NoteOddity {
    return (name, lost = false) => {
      const field = `${what} ${name}`;
      const known = this.#found.get(field);
      if (!known && this.#found.size >= MAX_FIELDS) return;
      const oddity = known ?? { field, count: 0, lost };
      this.#found.set(field, oddity);
      oddity.count += 1;
      oddity.lost ||= lost;
      const { count } = oddity;
      if (Number.isInteger(Math.log2(count)))
        this.#log.warn("the provider wrote something other than documented", { field, count });
    };
  }
}
