/** The contract over https and wss: the same rows through a TLS proxy (PARLEY_CONTRACT_TLS=1 does this for every file of the suite). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { spread } from "../support/proof.ts";
import { World } from "./world.ts";

// Set before the hooks of the files below, each of which starts its own world.
beforeAll(() => void (process.env.PARLEY_CONTRACT_TLS = "1"));
afterAll(() => void delete process.env.PARLEY_CONTRACT_TLS);

test("calls and WebSockets use https and wss", async () => {
  const world = await World.start();
  const line = await world.connect("ada");
  expect([world.url("/hi"), line.ws.url]).toEqual([
    expect.stringMatching(/^https:\/\/localhost:/),
    expect.stringMatching(/^wss:\/\/localhost:/),
  ]);
  await world.stop();
});
const suites: [name: string, load: () => Promise<unknown>][] = [
  ["realtime", () => import("./realtime.test.ts")],
  ["events", () => import("./events.test.ts")],
  ["events of messages", () => import("./events-messages.test.ts")],
  ["features", () => import("./features.test.ts")],
];
for (const [name, load] of spread(suites, 2)) describe(name, async () => void (await load()));
