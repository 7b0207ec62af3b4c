/** Many messages at once: 20,000 as fast as the provider sends them, and 1,000 a second for twenty seconds. */
import { floodText } from "../../src/provider/robots/flood.ts";
import { UNTIL_IDLE, sleep } from "./measure.ts";
import type { Figure } from "./report.ts";
import { Stage } from "./stage.ts";
import { localUser } from "./typing.bench.ts";

const MANY = 20_000;
const SECONDS = 20;

export async function run(): Promise<Figure[]> {
  const stage = new Stage().start();
  try {
    const me = localUser(stage);
    await stage.call("POST", "/users", { users: { flooder: { id: "flooder" } } });
    const cid = await stage.channel("bench-flood", [me, "flooder"]);
    const screen = stage.screen(["chat", cid]);
    await screen.waitFor((s) => s.text().includes("bench-flood") && s.text().includes("›"));
    await screen.settle(600);
    // What the start left is collected when the screen rests; a flood before that stays 30 MiB above it until the next rest.
    await sleep(UNTIL_IDLE);

    // A small flood first, so that the measured code is already warm.
    await stage.control("flood", { cid, user_id: "flooder", count: 2000 });
    await screen.waitFor(floodText(1999).slice(0, 12), 20_000);
    await screen.settle(600);
    const before = await stage.stats(screen);
    const began = performance.now();
    const flood = stage.control("flood", { cid, user_id: "flooder", count: MANY });
    await screen.waitFor(floodText(MANY - 1).slice(0, 12), 60_000);
    const onScreen = (performance.now() - began) / 1000;
    await flood;
    await screen.settle(600);
    const after = await stage.stats(screen);

    const steady = stage.control("flood", { cid, user_id: "flooder", count: SECONDS * 1000, rate: 1000 });
    await sleep(500);
    const from = await stage.stats(screen);
    const fromAt = performance.now();
    await steady;
    const to = await stage.stats(screen);
    const share = ((to.cpu - from.cpu) / 1000 / (performance.now() - fromAt)) * 100;
    await screen.close();
    return [
      {
        name: "20,000 messages: the last one on screen",
        unit: "s",
        measured: onScreen,
        budget: 3,
        scaled: true,
      },
      {
        name: "20,000 messages: client CPU a message",
        unit: "µs",
        measured: (after.cpu - before.cpu) / MANY,
        budget: 100,
        scaled: true,
      },
      {
        name: "20,000 messages: resident memory after",
        unit: "MiB",
        measured: after.rss / 2 ** 20,
        budget: 140,
      },
      { name: "1,000 messages/s for 20 s", unit: "% of a core", measured: share, budget: 35, scaled: true },
    ];
  } finally {
    await stage.end();
  }
}
