/** Requested refetches are repeated until they are answered (R-READ-8). */
import { expect, test } from "vitest";
import { createRefetchQueue } from "../../../src/core/live/refetch-queue.ts";
import type { Refetch } from "../../../src/core/state/change.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { network, refusal } from "../outbox/provider.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

test("R-READ-8: the totals are requested again until a request is answered", async () => {
  const clock = new VirtualClock();
  const pending: Refetch[] = [{ kind: "totals", cid: "" }];
  const applied: unknown[] = [];
  let requests = 0;
  const queue = createRefetchQueue({
    clock,
    log: silent,
    machine: {
      takeRefetches: () => pending.splice(0),
      apply: (change) => applied.push(change),
      revision: () => 1,
      eventBatches: () => 0,
    },
    call: (async () => {
      requests++;
      if (requests < 3) throw network();
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
  expect([requests, applied]).toEqual([3, [{ kind: "totals", unread: 5, channels: 2, threads: 1 }]]);
  await clock.advance(60_000);
  expect(requests).toBe(3);
  queue.close();
});

test("D9: while events keep arriving the totals of the fifth try are used", async () => {
  const clock = new VirtualClock();
  const pending: Refetch[] = [{ kind: "totals", cid: "" }];
  const applied: unknown[] = [];
  let batches = 0;
  const queue = createRefetchQueue({
    clock,
    log: silent,
    machine: {
      takeRefetches: () => pending.splice(0),
      apply: (change) => applied.push(change),
      revision: () => 1,
      eventBatches: () => batches,
    },
    call: (async () => {
      batches++;
      return { total_unread_count: batches, channels: [], threads: [] };
    }) as never,
  });
  queue.check();
  await clock.advance(600_000);
  expect([batches, applied]).toEqual([5, [{ kind: "totals", unread: 5, channels: 0, threads: 0 }]]);
  queue.close();
});

/** A refetch queue whose calls get these answers in turn, and the applied changes. */
function queueWith(pending: Refetch[], answers: unknown[]) {
  const clock = new VirtualClock();
  const applied: { kind: string }[] = [];
  const requests: string[] = [];
  const queue = createRefetchQueue({
    clock,
    log: silent,
    machine: {
      takeRefetches: () => pending.splice(0),
      apply: (change) => void applied.push(change),
      revision: () => 1,
      eventBatches: () => 0,
    },
    call: (async (name: string) => {
      requests.push(name);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    }) as never,
  });
  queue.check();
  return { clock, applied, requests, queue };
}

test("a requested channel and message are tried until the network answers, however long it takes", async () => {
  const down = Array.from({ length: 20 }, () => network());
  const { clock, applied, queue } = queueWith(
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

test("a refused request is not repeated", async () => {
  const { clock, requests, queue } = queueWith([{ kind: "channel", cid: "messaging:a" }], [refusal(403, 17)]);
  await clock.advance(600_000);
  expect(requests).toEqual(["queryChannels"]);
  queue.close();
});

test("D9: totals are used if no event arrived beside their answer, whatever else changed", async () => {
  const clock = new VirtualClock();
  const pending: Refetch[] = [{ kind: "totals", cid: "" }];
  const applied: unknown[] = [];
  let serial = 0;
  let batches = 0;
  let requests = 0;
  const queue = createRefetchQueue({
    clock,
    log: silent,
    machine: {
      takeRefetches: () => pending.splice(0),
      apply: (change) => applied.push(change),
      revision: () => serial,
      eventBatches: () => batches,
    },
    call: (async () => {
      requests++;
      serial++;
      if (requests === 1) batches++;
      return { total_unread_count: requests, channels: [], threads: [] };
    }) as never,
  });
  queue.check();
  await clock.advance(1500);
  expect(applied).toEqual([]);
  await clock.advance(3000);
  expect(applied).toEqual([{ kind: "totals", unread: 2, channels: 0, threads: 0 }]);
  queue.close();
});
