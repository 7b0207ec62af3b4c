/** The queue of a campaign by messages: waits by the clock of the machine, looks at people again, and ends at once when it is told to. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { readGuards } from "../../../src/commands/campaign/file/guards.ts";
import { CampaignQueue } from "../../../src/commands/campaign/flow/campaign-queue.ts";
import { planOf } from "../../../src/commands/campaign/plan/read-plan.ts";
import { sleep } from "../../../src/commands/base/poll-task.ts";
import { ApiError, TransportError } from "../../../src/model/errors.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-queue-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const OPENS = Date.UTC(2026, 10, 30, 9);
const plan = planOf({ pauseOutside: true }, readGuards({}, { window: "09:00-18:00", tz: "UTC" }))!;

/** A queue of ana, bo and cy two hours before the window opens; its clock moves when it waits. */
function queueAt(start: number, answer: (ids: string[]) => object[]) {
  let now = start;
  const slept: number[] = [];
  const asked: { at: number; ids: string[] }[] = [];
  const events: unknown[] = [];
  const abort = new AbortController();
  const call = {
    core: {
      call: async (_: string, request: { query: { filter_conditions: { id: { $in: string[] } } } }) => {
        const ids = request.query.filter_conditions.id.$in;
        asked.push({ at: now, ids });
        return { users: answer(ids) };
      },
    },
    machine: { folder, sleep: async (ms: number) => void slept.push(((now += ms), ms)) },
    signal: abort.signal,
    now: () => now,
    progress: () => {},
  };
  const people = ["ana", "bo", "cy"].map((id) => ({ id }));
  const queue = new CampaignQueue(
    call as never,
    { plan, people, sender: "mira", since: start, all: people.length },
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
