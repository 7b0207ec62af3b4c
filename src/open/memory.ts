/** Keeps the memory of a program that stays open small: a young generation that does not grow in a flood, and what nobody uses is given back. */
import v8 from "node:v8";
import { runInNewContext } from "node:vm";

/** What V8 is told once the program is loaded, before it takes in what is cached and what is told at a start: 1,000 channels grew the young space to its limit. */
export const FLAGS: readonly string[] = ["--semi-space-growth-factor=1", "--heap-growing-percent=30"];

/** Lets it grow again. */
const GROWING = "--semi-space-growth-factor=2";

/**
 * The screen, `tail`, and the provider: the messages of a flood live just long enough to survive young collections, and V8 answers with ever more young space:
 * 20,000 of them left up to 128 MiB of it with 25 MiB in use. Its limit can be given only on the command line of node, but
 * the factor by which it grows is read each time; at 1 it keeps its size (8 MiB after a start), the same flood takes less
 * CPU, for this much stays in the processor's cache, and ends near 135 MiB resident instead of 120 to 280.
 * The old space grows by 30 % between its collections instead of up to four times, for the same reason.
 */
export function limitMemory(setFlag: (flag: string) => void = v8.setFlagsFromString): void {
  for (const flag of FLAGS) setFlag(flag);
}

const MIB = 2 ** 20;

/** The young space of a screen that is used, bytes: with less of it a typed letter costs a twentieth more. */
const YOUNG = 8 * MIB;

/** Bytes of heap that are worth a collection, which takes as long as a few frames. */
const SPARE = 24 * MIB;

/** Looks in a row, a second apart, at which nothing had happened. */
const QUIET = 2;

/** V8's heap; sizes in bytes. */
interface Heap {
  size(): number;
  young(): number;
  /** Collects all that nobody uses, and gives empty pages back to the system. */
  collect(): void;
  setFlag(flag: string): void;
}

/** The collector is in no module of Node's; a context that is made while the flag is set has it. */
function collector(): (how: object) => void {
  v8.setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as (how: object) => void;
  v8.setFlagsFromString("--no-expose-gc");
  return gc;
}

export const ownHeap: Heap = {
  size: () => v8.getHeapStatistics().total_heap_size,
  young: () => v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")!.space_size,
  collect: () => collector()({ type: "major", flavor: "last-resort" }),
  setFlag: (flag) => v8.setFlagsFromString(flag),
};

/** Gives back what a start or a flood has left, when the screen has been quiet for two seconds. */
export class SpareMemory {
  readonly #heap: Heap;
  #kept = 0;
  #quiet = 0;
  #grows = false;

  constructor(heap: Heap = ownHeap) {
    this.#heap = heap;
  }

  /** Something happened. */
  used(): void {
    this.#quiet = 0;
    if (!this.#grows || this.#heap.young() < YOUNG) return;
    this.#grows = false;
    limitMemory((flag) => this.#heap.setFlag(flag));
  }

  /** A second has passed. */
  look(): void {
    if (++this.#quiet !== QUIET || this.#heap.size() - this.#kept < SPARE) return;
    this.#heap.collect();
    this.#kept = this.#heap.size();
    // The young space is as small as it can be now, and grows back with the next use.
    this.#grows = true;
    this.#heap.setFlag(GROWING);
  }
}
