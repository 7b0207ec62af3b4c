/** Keeps a flood from growing the program: V8's young space is brought back whenever it has become large. */
import v8 from "node:v8";
import type { Pace } from "./store.ts";

/** Milliseconds between two looks while something happens; none while nothing does. */
const LOOK_MS = 250;
/** Bytes of young space above which it is made smaller, and down to which. */
const LARGE = 16 * 2 ** 20;
const SMALL = 8 * 2 ** 20;
/** Looks after which shrinking is given up until something happens: without collections nothing shrinks. */
const PATIENCE = 8;

export const FLAGS = {
  grow: "--heap-growing-percent=30",
  save: "--optimize-for-size",
  stop: "--no-optimize-for-size",
};

export interface Heap {
  /** Bytes that V8 has taken for young objects. */
  young(): number;
  setFlag(flag: string): void;
}

const thisHeap: Heap = {
  young: () => v8.getHeapSpaceStatistics().find((s) => s.space_name === "new_space")?.space_size ?? 0,
  setFlag: (flag) => v8.setFlagsFromString(flag),
};

export interface Thrift {
  /** Something has happened that may have used memory; cheap. */
  look(): void;
  close(): void;
}

/**
 * The messages of a flood live just long enough to survive young collections, and V8 answers with ever more young space:
 * 20,000 of them left 128 MiB of it (277 MiB resident) with 25 MiB in use. It can be capped only on the command line of
 * node, so its growth is undone here: while "optimize for size" is on, the next collections shrink the young space. Left on
 * for good it costs half as much CPU again for each message; in turns it costs a tenth and the same flood ends at 145 MiB.
 * The old space grows by 30 % between its collections instead of up to four times, for the same reason.
 */
export function createThrift(clock: Pace, heap: Heap = thisHeap): Thrift {
  let timer: unknown;
  let saving = false;
  let closed = false;
  let looks = 0;
  heap.setFlag(FLAGS.grow);

  const save = (on: boolean): void => {
    saving = on;
    looks = 0;
    heap.setFlag(on ? FLAGS.save : FLAGS.stop);
  };
  const check = (): void => {
    timer = undefined;
    const young = heap.young();
    if (!saving && young > LARGE) save(true);
    else if (saving && (young <= SMALL || ++looks >= PATIENCE)) save(false);
    // Saving must not outlast the flood, or typing would pay for it.
    if (saving) look();
  };
  const look = (): void => {
    if (timer === undefined && !closed) timer = clock.setTimeout(check, LOOK_MS);
  };
  return {
    look,
    close() {
      closed = true;
      clock.clearTimeout(timer);
      if (saving) save(false);
    },
  };
}
