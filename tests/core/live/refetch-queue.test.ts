/** Requested refetches are repeated until they are answered (R-READ-8). */
import { expect, test } from "vitest";
import { createRefetchQueue } from "../../../src/core/live/refetch-queue.ts";
import type { Refetch } from "../../../src/core/state/change.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { network, refusal } from "../outbox/provider.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

test("R-READ-8: the numbers over all channels are asked for again when the question got no answer", async () => {
  const clock = new VirtualClock();
  const wanted: Refetch[] = [{ kind: "totals", cid: "" }];
  const applied: unknown[] = [];
  let asked = 0;
  const queue = createRefetchQueue({
    clock,
    log: silent,
    machine: {
      takeRefetches: () => wanted.splice(0),
      apply: (change) => applied.push(change),
      revision: () => 1,
      eventBatches: () => 0,
    },
    call: (async () => {
      asked++;
      if (asked < 3) throw network();
      return {
        total_unread_count: 5,
        channels: [{ unread_count: 3 }, { unread_count: 2 }],
        threads: [{ unread_count: 1 }],
      };
    }) as never,
  });
  queue.check();
  await clock.advance(1500);
  await clock.advance(3000);
  expect(applied).toEqual([]);
  await clock.advance(6000);
  expect([asked, applied]).toEqual([3, [{ kind: "totals", unread: 5, channels: 2, threads: 1 }]]);
  await clock.advance(60_000);
  expect(asked).toBe(3);
  queue.close();
});

test("D9: in a flood the numbers of the fifth try have to do", async () => {
  const clock = new VirtualClock();
  const wanted: Refetch[] = [{ kind: "totals", cid: "" }];
  const applied: unknown[] = [];
  let heard = 0;
  const queue = createRefetchQueue({
    clock,
    log: silent,
    machine: {
      takeRefetches: () => wanted.splice(0),
      apply: (change) => applied.push(change),
      revision: () => 1,
      eventBatches: () => heard,
    },
    call: (async () => {
      heard++;
      return { total_unread_count: heard, channels: [], threads: [] };
    }) as never,
  });
  queue.check();
  await clock.advance(600_000);
  expect([heard, applied]).toEqual([5, [{ kind: "totals", unread: 5, channels: 0, threads: 0 }]]);
  queue.close();
});

/** A refetch queue whose calls get these answers in turn, and the applied changes. */
function stage(wanted: Refetch[], answers: unknown[]) {
  const clock = new VirtualClock();
  const applied: { kind: string }[] = [];
  const asked: string[] = [];
  const queue = createRefetchQueue({
    clock,
    log: silent,
    machine: {
      takeRefetches: () => wanted.splice(0),
      apply: (change) => void applied.push(change),
      revision: () => 1,
      eventBatches: () => 0,
    },
    call: (async (name: string) => {
      asked.push(name);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    }) as never,
  });
  queue.check();
  return { clock, applied, asked, queue };
}

test("a channel and a message that are wanted are asked for until the network lets an answer through, however long", async () => {
  const down = Array.from({ length: 20 }, () => network());
  const { clock, applied, queue } = stage(
    [
      { kind: "channel", cid: "messaging:a" },
      { kind: "message", cid: "messaging:a", id: "m" },
    ],
    [...down, { channels: [] }, { message: { id: "m" } }],
  );
  await clock.advance(100_000);
  expect(applied).toEqual([]);
  await clock.advance(100_000);
  expect(applied.map(({ kind }) => kind).toSorted()).toEqual(["channels", "message"]);
  queue.close();
});

test("what is refused for good is not asked for again", async () => {
  const { clock, asked, queue } = stage([{ kind: "channel", cid: "messaging:a" }], [refusal(403, 17)]);
  await clock.advance(600_000);
  expect(asked).toEqual(["queryChannels"]);
  queue.close();
});

test("D9: the numbers over all channels count when no event came beside their answer, whatever else changed meanwhile", async () => {
  const clock = new VirtualClock();
  const wanted: Refetch[] = [{ kind: "totals", cid: "" }];
  const applied: unknown[] = [];
  let serial = 0;
  let heard = 0;
  let asked = 0;
  const queue = createRefetchQueue({
    clock,
    log: silent,
    machine: {
      takeRefetches: () => wanted.splice(0),
      apply: (change) => applied.push(change),
      revision: () => serial,
      eventBatches: () => heard,
    },
    call: (async () => {
      asked++;
      serial++;
      if (asked === 1) heard++;
      return { total_unread_count: asked, channels: [], threads: [] };
    }) as never,
  });
  queue.check();
  await clock.advance(1500);
  expect(applied).toEqual([]);
  await clock.advance(3000);
  expect(applied).toEqual([{ kind: "totals", unread: 2, channels: 0, threads: 0 }]);
  queue.close();
});
