/** Quitting the built screen during every network fault: it exits within seconds, and written messages are sent at the next start (D1–D3). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { FaultStage, CID } from "../support/fault-stage.ts";
import { FAULTS, chosenFaults } from "../support/faults.ts";
import { patient } from "../support/patience.ts";

/** Milliseconds; the program needs 3,000, more on a busy machine. */
const LEAVES_WITHIN = 15_000;
const ASKS = /not sent yet and will be kept/;

let stage: FaultStage;
let turn = 0;

beforeAll(async () => {
  stage = await FaultStage.open();
});
afterAll(() => stage.close());

test.each(chosenFaults(2))(
  "during %s the screen exits within seconds, and the next start sends the waiting message",
  async (name) => {
    const fault = FAULTS[name]!;
    const word = `left-${++turn}`;
    const screen = stage.home.screen(["--profile", "work", "chat", CID]);
    await screen.waitFor("● online", patient(40_000));
    await fault.begin(stage);
    try {
      screen.type(`${word}\r`);
      // Shown among the messages and no longer in the composer: it is durable now (D1).
      await screen.waitFor((pty) => pty.text().split("\n").slice(0, -3).join("\n").includes(word));
      screen.type("/quit\r");
      await screen.waitFor((pty) => pty.exit !== undefined || ASKS.test(pty.text()));
      if (!screen.exit) screen.type("y");
      expect(await screen.end(LEAVES_WITHIN)).toMatchObject({ exitCode: 0 });
    } finally {
      await fault.end(stage);
    }
    await using next = stage.home.screen(["--profile", "work", "chat", CID]);
    await next.waitFor("● online", patient(60_000));
    await next.waitFor((pty) => !/unsent|waiting for|sending|not sent/.test(pty.text()), patient(60_000));
    expect(await stage.held(word)).toEqual([word]);
  },
);
