/** Requested refetches are repeated until they are answered (R-READ-8). */
import { expect, test } from "vitest";
import { createRefetchQueue } from "../../../src/core/live/refetch-queue.ts";
import { TransportError } from "../../../src/model/errors.ts";
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

/** How many channels each call asks for; `failure` says with what a call of so many fails. */
function askedChannels(
  kind: "channel" | "unread",
  many: number,
  failure: (asked: number) => Error | undefined,
) {
  const clock = new VirtualClock();
  const pending = Array.from({ length: many }, (_, n): Refetch => ({ kind, cid: `messaging:${n}` }));
  const asked: number[] = [];
  const queue = createRefetchQueue({
    clock,
    log: silent,
    machine: {
      takeRefetches: () => pending.splice(0),
      apply: () => undefined,
      revision: () => 1,
      eventBatches: () => 0,
    },
    call: (async (_: string, { body }: { body: { filter_conditions: { cid: { $in: string[] } } } }) => {
      const { length } = body.filter_conditions.cid.$in;
      asked.push(length);
      const error = failure(length);
      if (error) throw error;
      return { channels: [] };
    }) as never,
  });
  queue.check();
  return { clock, asked, queue, pending };
}

test("channels that are not answered in time are asked for in smaller pages, and the rest in one call", async () => {
  const { clock, asked, queue } = askedChannels("channel", 14, (many) =>
    many > 5 ? new TransportError("ETIMEDOUT", "no answer in time") : undefined,
  );
  await clock.advance(600_000);
  expect(asked).toEqual([14, 4, 7, 2, 3, 3, 2]);
  queue.close();
});

test("channels that could not be fetched are asked for again together, as are uncertain numbers of several", async () => {
  for (const [kind, before] of [
    ["channel", 50],
    ["unread", 1550],
  ] as const) {
    let failures = 2;
    const { clock, asked, queue } = askedChannels(kind, 40, () => (failures-- > 0 ? network() : undefined));
    await clock.advance(before);
    expect(asked).toEqual([30]);
    await clock.advance(1500);
    expect(asked).toEqual([30, 30]);
    await clock.advance(600_000);
    expect(asked).toEqual([30, 30, 30, 10]);
    queue.close();
  }
});

test("a channel that is requested again while it waits is asked for once", async () => {
  let failures = 2;
  const { clock, asked, queue, pending } = askedChannels("channel", 2, () =>
    failures-- > 0 ? network() : undefined,
  );
  await clock.advance(50);
  pending.push({ kind: "channel", cid: "messaging:0" }, { kind: "channel", cid: "messaging:9" });
  queue.check();
  await clock.advance(50);
  expect(asked).toEqual([2, 3]);
  await clock.advance(600_000);
  expect(asked).toEqual([2, 3, 3]);
  queue.close();
});

test("a page of channels that is refused does not keep the next one back", async () => {
  const { clock, asked, queue } = askedChannels("channel", 40, (many) =>
    many === 30 ? refusal(403, 17) : undefined,
  );
  await clock.advance(600_000);
  expect(asked).toEqual([30, 10]);
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
