/** The queue of a campaign by messages: waits by the clock of the machine, looks at people again, and ends at once when it is told to. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { readGuards } from "../../../src/commands/campaign/file/guards.ts";
import { CampaignQueue } from "../../../src/commands/campaign/flow/campaign-queue.ts";
import { planOf } from "../../../src/commands/campaign/plan/read-plan.ts";
import type { SendPlan } from "../../../src/commands/campaign/plan/send-plan.ts";
import { planLines, planSlots } from "../../../src/commands/campaign/plan/slots.ts";
import { sleep } from "../../../src/commands/base/poll-task.ts";
import { ApiError, TransportError } from "../../../src/model/errors.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-queue-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const OPENS = Date.UTC(2026, 10, 30, 9);
const hoursPlan = planOf({ pauseOutside: true }, readGuards({}, { window: "09:00-18:00", tz: "UTC" }))!;

interface QueueRun {
  plan: SendPlan;
  people: { id: string; user?: { id: string } }[];
  since: number;
  last: number;
  all: number;
}

/** A queue of ana, bo and cy two hours before the window opens; its clock moves when it waits. */
function queueAt(
  start: number,
  answer: (ids: string[]) => object[],
  { plan = hoursPlan, people = ["ana", "bo", "cy"].map((id) => ({ id })), ...run }: Partial<QueueRun> = {},
) {
  let now = start;
  const slept: number[] = [];
  const asked: { at: number; ids: string[] }[] = [];
  const events: unknown[] = [];
  const abort = new AbortController();
  const call = {
    core: {
      call: async (
        _: string,
        { query }: { query: { id_gt?: string; filter_conditions: { id: { $in: string[] } } } },
      ) => {
        const ids = query.filter_conditions.id.$in;
        const { id_gt: after = "" } = query;
        if (after === "") asked.push({ at: now, ids });
        if (asked.length > 100_000) throw new Error("looks at people for ever");
        return { users: answer(ids.filter((id) => id > after)) };
      },
    },
    machine: { folder, sleep: async (ms: number) => void slept.push(((now += ms), ms)) },
    signal: abort.signal,
    now: () => now,
    progress: () => {},
  };
  const queue = new CampaignQueue(
    call as never,
    { plan, people, sender: "mira", since: start, all: people.length, ...run },
    {
      waits: (until) => events.push(["waits", until]),
      leaves: ({ id }, why) => events.push([id, why]),
    },
  );
  return { queue, slept, asked, events, abort, call, now: () => now };
}
const users = (ids: string[]) => ids.map((id) => ({ id }));

test("nobody is given out before the hours open, and people are looked at every five minutes and before the first send", async () => {
  const { queue, slept, asked, events, now } = queueAt(OPENS - 7_200_000, users);
  expect((await queue.take())?.id).toBe("ana");
  expect([now(), events]).toEqual([OPENS, [["waits", OPENS]]]);
  expect([slept.length, Math.max(...slept)]).toEqual([120, 60_000]);
  expect(asked.map(({ at }) => OPENS - at)).toEqual(Array.from({ length: 24 }, (_, n) => (23 - n) * 300_000));
  expect(asked.every(({ ids }) => ids.join() === "ana,bo,cy")).toBe(true);
});

test("whoever was deactivated or deleted meanwhile is left out, with the reason", async () => {
  const { queue, events } = queueAt(OPENS - 7_200_000, (ids) =>
    ids.map((id) => ({
      id,
      ...(id === "ana" && { deactivated_at: "2026" }),
      ...(id === "bo" && { deleted_at: "2026" }),
    })),
  );
  expect((await queue.take())?.id).toBe("cy");
  expect(await queue.take()).toBeUndefined();
  expect(events.slice(1)).toEqual([
    ["ana", "deactivated"],
    ["bo", "deleted"],
  ]);
});

test("within a minute of the check nobody is looked at again", async () => {
  const { queue, asked } = queueAt(OPENS + 1, users);
  for (const id of ["ana", "bo", "cy"]) expect((await queue.take())?.id).toBe(id);
  expect(asked).toEqual([]);
});

test("a provider that is gone during a wait is not missed, and one that is gone at its end is a transport error", async () => {
  const lost = new TransportError("ERR_NETWORK", "connection refused");
  const flaky = queueAt(OPENS - 7_200_000, (ids) => {
    if (flaky.now() < OPENS) throw lost;
    return users(ids);
  });
  expect((await flaky.queue.take())?.id).toBe("ana");
  const gone = queueAt(OPENS - 7_200_000, () => {
    throw lost;
  });
  await expect(gone.queue.take()).rejects.toBe(lost);
  expect(gone.now()).toBeGreaterThanOrEqual(OPENS);
  const refused = new ApiError("no", { status: 401, code: 2 });
  const locked = queueAt(OPENS - 7_200_000, () => {
    throw refused;
  });
  await expect(locked.queue.take()).rejects.toBe(refused);
});

test("a wait ends at once when the run is aborted, and when nobody more is to be given out", async () => {
  for (const end of ["abort", "end"] as const) {
    const { queue, abort, call } = queueAt(OPENS - 7_200_000, users);
    call.machine.sleep = sleep as never;
    const taken = [queue.take(), queue.take()];
    await vi.waitFor(() => expect(queue.size).toBe(3));
    if (end === "abort") abort.abort(new Error("stopped"));
    else queue.end();
    for (const one of taken)
      if (end === "abort") await expect(one).rejects.toThrow("stopped");
      else expect(await one).toBeUndefined();
  }
});

test("of more people than a page has, the next ones are looked at before their message, in their order", async () => {
  const people = Array.from({ length: 250 }, (_, n) => ({ id: `p${n}` }));
  const { queue, asked } = queueAt(OPENS - 1_800_000, users, { people });
  const given: string[] = [];
  for (let one = await queue.take(); one; one = await queue.take()) {
    if (given.length % 100 === 0) expect(asked.at(-1)!.ids[0]).toBe(one.id);
    given.push(one.id);
  }
  expect(given).toEqual(people.map(({ id }) => id));
  expect(asked.slice(-3).map(({ ids }) => [ids[0], ids.length])).toEqual([
    ["p0", 100],
    ["p100", 100],
    ["p200", 50],
  ]);
});

test("zones whose time comes at the same moment go in the order of the people", async () => {
  const zones = ["Europe/Berlin", "Europe/Paris", "Europe/London", "Europe/Berlin", "Europe/Madrid"];
  const people = zones.map((time_zone, n) => ({ id: `p${n}`, user: { id: `p${n}`, time_zone } }));
  const plan = planOf({ pauseOutside: false, atLocal: "10:00" }, readGuards({}, {}))!;
  const { queue } = queueAt(OPENS - 7_200_000, users, { plan, people });
  const given: string[] = [];
  for (let one = await queue.take(); one; one = await queue.take()) given.push(one.id);
  const slots = planSlots(plan, people, { now: OPENS - 7_200_000, since: OPENS - 7_200_000, all: 5 });
  expect(given).toEqual(slots.flatMap((slot) => slot.people.map(({ id }) => id)));
  expect(given).toEqual(["p0", "p3", "p1", "p4", "p2"]);
});

const HOUR = 3_600_000;
const crowd = (size: number): { id: string }[] => Array.from({ length: size }, (_, n) => ({ id: `p${n}` }));
const guarded = { window: "09:00-18:00", tz: "Europe/Berlin", quietDay: ["sunday"] };
const spread = (time: string, hours: boolean): SendPlan =>
  planOf({ pauseOutside: hours, spread: time }, readGuards({}, hours ? guarded : {}))!;

test.each([
  ["a spread of a day", spread("1d", false), 7, {}],
  ["one of a few within hours", spread("3d", true), 11, {}],
  ["one of many within hours", spread("4d", true), 90, {}],
  ["one of many over weeks", spread("40d", true), 30, {}],
  ["one that goes on", spread("2d", true), 9, { since: OPENS - 20 * HOUR, last: OPENS - 9 * HOUR, all: 20 }],
  ["hours alone", hoursPlan, 5, {}],
] satisfies [string, SendPlan, number, Partial<QueueRun>][])(
  "the slots of a dry run are those of the run: %s",
  async (_, plan, size, run) => {
    const start = OPENS - 1.5 * HOUR;
    const people = crowd(size);
    const slots = planSlots(plan, people, { now: start, since: start, all: size, ...run });
    const { queue, now } = queueAt(start, users, { plan, people, ...run });
    const given = new Map<string, number>();
    for (let one = await queue.take(); one; one = await queue.take()) given.set(one.id, now());
    expect(slots.flatMap((slot) => slot.people.map(({ id }) => id))).toEqual([...given.keys()]);
    expect(slots.length).toBeLessThanOrEqual(25);
    // The clock of the queue rounds to a millisecond at each person.
    for (const [n, { at, people: group }] of slots.entries()) {
      expect(Math.abs(given.get(group[0]!.id)! - at)).toBeLessThan(2 * size);
      const next = slots[n + 1]?.at ?? Infinity;
      expect(given.get(group.at(-1)!.id)!).toBeLessThan(next + 2 * size);
    }
  },
);

test("the lines of a dry run name time, zone and number of each slot", () => {
  const plan = spread("2d", true);
  const lines = planLines(plan, crowd(4), { now: OPENS, since: OPENS, all: 4 });
  expect(lines).toEqual([
    "4 people, one every 4 h 30 min:",
    expect.stringMatching(/^from 2026-11-30 10:00 Europe\/Berlin( \(.* here\))?: 1 person: p0$/),
    expect.stringMatching(/^from 2026-11-30 14:30 Europe\/Berlin( \(.* here\))?: 1 person: p1$/),
    expect.stringMatching(/^from 2026-12-01 10:00 Europe\/Berlin( \(.* here\))?: 1 person: p2$/),
    expect.stringMatching(/^from 2026-12-01 14:30 Europe\/Berlin( \(.* here\))?: 1 person: p3$/),
  ]);
});
