/** The operator is told which operation blocked all others, and for how long. */
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/provider/store/open.ts";
import { Batch, SLOW_MS } from "../../../src/provider/store/batch.ts";
import { createProvider } from "../../../src/provider/provider.ts";

const sleep = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test("an operation of more than 100 ms is reported with its name and time, a shorter one is not", async () => {
  const db = openDatabase(":memory:", []);
  const told: [string, number][] = [];
  const batch = new Batch(db, undefined, (what, ms) => told.push([what, ms]));
  const work = (name: string, ms: number) =>
    batch.run({ name, run: () => sleep(ms), undo: () => {}, release: () => {} });
  await Promise.all([work("SendMessage", SLOW_MS + 30), work("GetMessage", 0)]);
  expect(told.map(([what]) => what)).toEqual(["SendMessage"]);
  expect(told[0]![1]).toBeGreaterThan(SLOW_MS);
  db.close();
});

test("the provider reports a slow operation to onSlowCommit once it listens", async () => {
  const said: string[] = [];
  const provider = createProvider({ data: ":memory:", onSlowCommit: (sentence) => said.push(sentence) });
  provider.transact(() => sleep(SLOW_MS + 30), true);
  expect(said).toEqual([]);
  await provider.listen();
  provider.transact(() => sleep(SLOW_MS + 30), true);
  expect(said).toEqual([expect.stringMatching(/^background work blocked every other call for \d{3,} ms$/)]);
  await provider.close();
});
