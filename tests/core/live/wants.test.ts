/** What the state wants to know is asked for until it is answered (R-READ-8). */
import { expect, test } from "vitest";
import { createWants } from "../../../src/core/live/wants.ts";
import type { Want } from "../../../src/core/state/change.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

test("R-READ-8: the numbers over all channels are asked for again when the question got no answer", async () => {
  const clock = new VirtualClock();
  const wanted: Want[] = [{ kind: "totals", cid: "" }];
  const applied: unknown[] = [];
  let asked = 0;
  const wants = createWants({
    clock,
    log: silent,
    machine: { takeWants: () => wanted.splice(0), apply: (change) => applied.push(change), serial: () => 1 },
    call: (async () => {
      asked++;
      if (asked < 3) throw new Error("no answer");
      return {
        total_unread_count: 5,
        channels: [{ unread_count: 3 }, { unread_count: 2 }],
        threads: [{ unread_count: 1 }],
      };
    }) as never,
  });
  wants.look();
  await clock.advance(1500);
  await clock.advance(3000);
  expect(applied).toEqual([]);
  await clock.advance(6000);
  expect([asked, applied]).toEqual([3, [{ kind: "totals", unread: 5, channels: 2, threads: 1 }]]);
  await clock.advance(60_000);
  expect(asked).toBe(3);
  wants.close();
});
