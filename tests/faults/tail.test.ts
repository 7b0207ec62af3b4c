/** The built `tail` through every network fault: messages sent meanwhile are printed once and in order, and it keeps running (D3, D5, D6). */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FaultStage, CID } from "../support/fault-stage.ts";
import { FAULTS, chosenFaults } from "../support/faults.ts";
import { until, type Running } from "../support/home.ts";
import { patient } from "../support/patience.ts";

/** More than a page. */
const MANY = 40;
/** Milliseconds of each fault before and after the messages are sent. */
const WHILE = 400;

let stage: FaultStage;
let tail: Running;
const lines = (start: string): string[] => tail.out.split("\n").filter((line) => line.startsWith(start));
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

beforeAll(async () => {
  stage = await FaultStage.open();
});
beforeEach(async () => {
  if (tail && tail.code === undefined) return;
  tail = stage.home.start([
    "--profile",
    "work",
    "tail",
    CID,
    "--last",
    "0",
    "--template",
    "{{message.text}}",
  ]);
  // Messages sent before it follows the channel are not printed.
  await until("the tail to follow", async () => {
    await stage.say("hello");
    return tail.out.includes("hello");
  });
});
afterAll(() => stage.close());

test.each(chosenFaults(3))("during %s tail prints every message once and in order", async (name) => {
  const fault = FAULTS[name]!;
  const start = `${name}: `;
  const stopped = name === "the provider is stopped";
  await stage.say(`${start}before`);
  await until(`${start}before`, () => lines(start).length === 1, patient(40_000));
  await fault.begin(stage);
  try {
    await pause(WHILE);
    if (!stopped) for (let n = 0; n < MANY; n++) await stage.say(`${start}${n}`);
    await pause(WHILE);
  } finally {
    await fault.end(stage);
  }
  if (stopped) for (let n = 0; n < MANY; n++) await stage.say(`${start}${n}`);
  await stage.say(`${start}after`);
  await until(
    `${start}after`,
    () => {
      if (tail.code !== undefined) throw new Error(`it ended with ${tail.code}: ${tail.err}`);
      return lines(start).includes(`${start}after`);
    },
    patient(60_000),
  );
  expect(lines(start)).toEqual(await stage.held(start));
  expect(lines(start)).toHaveLength(MANY + 2);
});
