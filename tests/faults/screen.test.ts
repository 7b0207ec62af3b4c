/** The built screen through every network fault: messages sent meanwhile, its own too, are shown once and in order, and the header is right (D1–D6). */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FaultStage, CID } from "../support/fault-stage.ts";
import { FAULTS, chosenFaults } from "../support/faults.ts";
import type { Pty } from "../support/pty.ts";
import { patient } from "../support/patience.ts";

/** More than a page (MESSAGE_PAGE is 25), fewer than the rows of the terminal. */
const MANY = 40;
/** Milliseconds of each fault before and after the messages are sent. */
const WHILE = 400;
const ONLINE = /● online( · long-poll)? {3}work/;

let stage: FaultStage;
let screen: Pty;
let turn = 0;
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** The numbered messages of this round from top to bottom, without the composer. */
const shownMessages = (start: string): string[] =>
  screen
    .text()
    .split("\n")
    .slice(0, -3)
    .flatMap((line) => new RegExp(`│.*?\\b(${start}-\\w+)\\b`).exec(line)?.[1] ?? []);

beforeAll(async () => {
  stage = await FaultStage.open();
});
beforeEach(async () => {
  if (screen && !screen.exit) return;
  screen = stage.home.screen(["--profile", "work", "chat", CID], { rows: 120, cols: 110 });
  await screen.waitFor(ONLINE);
});
afterAll(() => stage.close());

test.each(chosenFaults(4))(
  "after %s the screen shows every message once and in order, and its header shows the true state",
  async (name) => {
    const fault = FAULTS[name]!;
    const start = `t${++turn}`;
    const stopped = name === "the provider is stopped";
    await stage.say(`${start}-before`);
    await screen.waitFor(`${start}-before`, patient(40_000));
    await fault.begin(stage);
    try {
      await pause(WHILE);
      if (!stopped) for (let n = 0; n < MANY; n++) await stage.say(`${start}-${n}`);
      screen.type(`${start}-own`);
      screen.key("enter");
      // Among the messages and no longer in the composer: it is durable now (D1).
      await screen.waitFor(() => shownMessages(start).includes(`${start}-own`));
      // Nothing answers, so the header must not claim to be online.
      if (fault.shows === "silent") await screen.waitFor((pty) => !ONLINE.test(pty.text()), patient(40_000));
      await pause(WHILE);
    } finally {
      await fault.end(stage);
    }
    if (stopped) for (let n = 0; n < MANY; n++) await stage.say(`${start}-${n}`);
    await stage.say(`${start}-after`);
    await screen.waitFor(ONLINE, patient(60_000));
    await screen.waitFor("● online", patient(60_000));
    await screen.waitFor(`${start}-after`, patient(60_000));
    await screen.waitFor((pty) => !/unsent|waiting for|sending|not sent/.test(pty.text()), patient(60_000));
    const held = await stage.held(start);
    await screen.waitFor(() => shownMessages(start).length >= held.length, 10_000).catch(() => undefined);
    expect(shownMessages(start)).toEqual(held);
    expect(held.toSorted()).toEqual([...new Set(held)].toSorted());
    expect(held).toHaveLength(MANY + 3);
  },
);
