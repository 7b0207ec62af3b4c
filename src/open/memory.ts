/** Keeps the memory of a long-running program small: limits V8's young generation, and collects garbage when idle. */
import v8 from "node:v8";
import { runInNewContext } from "node:vm";

/** V8 flags of a program that stays. Set once it is loaded: a changed flag makes V8 compile all it loads later, also modules of Node, without their code caches. */
export const MEMORY_FLAGS: readonly string[] = ["--semi-space-growth-factor=1", "--heap-growing-percent=30"];

/** Lets the young space grow again. */
const GROW_FLAG = "--semi-space-growth-factor=2";

/**
 * Used by the screen, `tail` and the provider. The messages of a flood survive young collections, so V8 keeps growing the
 * young space: 20,000 of them left up to 128 MiB of it with 25 MiB in use. Its limit can be set only on node's command
 * line, but the growth factor is read each time. At 1 the space keeps its size (8 MiB after a start); the same flood takes
 * less CPU, because this much fits in the processor's cache, and ends near 135 MiB resident instead of 120 to 280.
 * The old space grows by 30 % between its collections instead of up to four times, for the same reason.
 */
export function limitMemory(setFlag: (flag: string) => void = v8.setFlagsFromString): void {
  for (const flag of MEMORY_FLAGS) setFlag(flag);
}

const MIB = 2 ** 20;

/** The young space of a screen in use, bytes: with less of it a key stroke costs 5 % more. */
const YOUNG_BYTES = 8 * MIB;

/** The heap growth that is worth a collection, which takes as long as a few frames; bytes. */
const SPARE_BYTES = 24 * MIB;

/** How long the screen has to be idle before a collection, milliseconds. */
const IDLE_MS = 2000;

/** V8's heap; sizes in bytes. */
interface Heap {
  size(): number;
  young(): number;
  /** Collects all garbage and returns empty pages to the system. */
  collect(): void;
  setFlag(flag: string): void;
}

/** No Node module exposes the collector; a context created while the flag is set does. */
function collector(): (options: object) => void {
  v8.setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as (options: object) => void;
  v8.setFlagsFromString("--no-expose-gc");
  return gc;
}

export const v8Heap: Heap = {
  size: () => v8.getHeapStatistics().total_heap_size,
  young() {
    for (const { space_name: name, space_size: size } of v8.getHeapSpaceStatistics())
      if (name === "new_space") return size;
    return 0;
  },
  collect: () => collector()({ type: "major", flavor: "last-resort" }),
  setFlag: (flag) => v8.setFlagsFromString(flag),
};

/** Frees the garbage of a start or a flood once the screen has been idle for two seconds. */
export class IdleCollector {
  readonly #heap: Heap;
  #sizeAfterCollection = 0;
  #isGrowing = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(heap: Heap = v8Heap) {
    this.#heap = heap;
  }

  /** Something was drawn. */
  used(): void {
    this.#idleTimer ??= setTimeout(() => this.idle(), IDLE_MS).unref();
    this.#idleTimer.refresh();
    if (!this.#isGrowing || this.#heap.young() < YOUNG_BYTES) return;
    this.#isGrowing = false;
    limitMemory((flag) => this.#heap.setFlag(flag));
  }

  /** Nothing was drawn for {@link IDLE_MS}. */
  idle(): void {
    if (this.#heap.size() - this.#sizeAfterCollection < SPARE_BYTES) return;
    this.#heap.collect();
    this.#sizeAfterCollection = this.#heap.size();
    // The collection has shrunk the young space; it grows back with the next use.
    this.#isGrowing = true;
    this.#heap.setFlag(GROW_FLAG);
  }
}
