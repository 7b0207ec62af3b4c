/** The memory of a screen: the young space stays limited during a flood, and unused memory is released after a start or a flood. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { MEMORY_FLAGS, IdleCollector, limitMemory, v8Heap } from "../../src/open/memory.ts";

/** Sets the flags and allocates many short-lived objects; MiB of young space afterwards, and V8's messages. */
function runFlood(flags: readonly string[]): { after: number; told: string } {
  const script = `
    const v8 = require("node:v8");
    const young = () => v8.getHeapSpaceStatistics().find((s) => s.space_name === "new_space").space_size / 2 ** 20;
    for (const flag of process.argv.slice(1)) v8.setFlagsFromString(flag);
    let kept = [];
    for (let n = 0; n < 1_000_000; n++) {
      kept.push({ n, text: "message " + n });
      if (kept.length > 100_000) kept = kept.slice(50_000);
    }
    console.log(JSON.stringify({ after: young() }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", script, "--", ...flags], {
    encoding: "utf8",
  });
  return { ...(JSON.parse(stdout) as { after: number }), told: stderr };
}

test("the limits keep the young space at less than a third of its size in the same flood without them", () => {
  // The size at the start differs from run to run, so the two floods are compared with each other.
  expect(runFlood(MEMORY_FLAGS).after * 3).toBeLessThan(runFlood([]).after);
});

test("this Node accepts the flags without a warning", () => {
  expect(runFlood(MEMORY_FLAGS).told).toBe("");
  expect(runFlood(["--no-such-flag"]).told).not.toBe("");
});

test("limiting sets every flag", () => {
  const set: string[] = [];
  limitMemory((flag) => set.push(flag));
  expect(set).toEqual(MEMORY_FLAGS);
});

const MIB = 2 ** 20;

/** A heap with these sizes in MiB that records what was done to it. */
class FakeHeap {
  mib = 33;
  youngMib = 8;
  readonly done: string[] = [];
  size = (): number => this.mib * MIB;
  young = (): number => this.youngMib * MIB;
  collect(): void {
    this.done.push("collected");
    [this.mib, this.youngMib] = [24, 1];
  }
  setFlag(flag: string): void {
    this.done.push(flag);
  }
}

test("memory left from the start is collected once", () => {
  const heap = new FakeHeap();
  const memory = new IdleCollector(heap);
  memory.used();
  expect(heap.done).toEqual([]);
  memory.idle();
  expect(heap.done).toEqual(["collected", "--semi-space-growth-factor=2"]);
  memory.idle();
  expect(heap.done).toHaveLength(2);
});

test("a small growth is left alone, and a large one is collected again", () => {
  const heap = new FakeHeap();
  const memory = new IdleCollector(heap);
  memory.idle();
  heap.mib = 24 + 23;
  memory.idle();
  expect(heap.done.filter((what) => what === "collected")).toHaveLength(1);
  heap.mib = 24 + 24;
  memory.idle();
  expect(heap.done.filter((what) => what === "collected")).toHaveLength(2);
});

test("with further use the young space grows back to its limit and no further", () => {
  const heap = new FakeHeap();
  const memory = new IdleCollector(heap);
  memory.idle();
  heap.done.length = 0;
  for (const mib of [1, 2, 4]) {
    heap.youngMib = mib;
    memory.used();
  }
  expect(heap.done).toEqual([]);
  heap.youngMib = 8;
  memory.used();
  memory.used();
  expect(heap.done).toEqual(MEMORY_FLAGS);
});

test("V8 can be told to collect, and frees unused memory", () => {
  let objects: object[] | undefined = Array.from({ length: 300_000 }, (_, n) => ({
    n,
    text: `message ${n}`,
  }));
  const before = v8Heap.size();
  expect(objects).toHaveLength(300_000);
  objects = undefined;
  v8Heap.collect();
  expect(before - v8Heap.size()).toBeGreaterThan(10 * MIB);
});
