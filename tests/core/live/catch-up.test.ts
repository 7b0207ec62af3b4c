/** What a recovery requests beside the channels: the threads opened last, totals that nothing newer replaces, and how often each step is tried (D6, D7, R-READ-8). */
import { expect, test } from "vitest";
import { recoverThreads, recoverTotals } from "../../../src/core/live/recovery.ts";
import { RecoveryAttempt, type RecoveryDeps } from "../../../src/core/live/recovery-attempt.ts";
import { ApiError } from "../../../src/model/errors.ts";
import { INPUT_ERROR } from "../../../src/wire/errors.ts";
import { fakeLog } from "../../support/fake-ports.ts";
import { fixedRandom, VirtualClock } from "../../support/virtual-clock.ts";

interface Request {
  name: string;
  path?: { parent_id: string };
}

/** A run of a recovery over this state; `answer` is called for each request. */
function startRun(state: object, answer: (request: Request) => unknown) {
  const requests: Request[] = [];
  const applied: { kind: string }[] = [];
  const machine = {
    state: () => state,
    revision: () => 0,
    apply: (change: { kind: string }) => applied.push(change),
  };
  const call = async (name: string, { path }: { path?: { parent_id: string } } = {}): Promise<unknown> => {
    const request = { name, ...(path && { path }) };
    requests.push(request);
    return answer(request);
  };
  const run = {
    deps: { call, machine },
    signal: new AbortController().signal,
    step: (_: string, work: () => Promise<unknown>) => work(),
  } as unknown as RecoveryAttempt;
  return { run, requests, applied };
}

const channel = (cid: string, stale: boolean, ...parents: [id: string, stale: boolean][]) => ({
  cid,
  stale,
  threads: new Map(parents.map(([parentId, isStale]) => [parentId, { parentId, stale: isStale, sets: [] }])),
});

test("the ten stale threads opened last are requested, the last one first, and none of a channel that is still behind", async () => {
  const parents = Array.from({ length: 12 }, (_, n): [string, boolean] => [`t${n}`, true]);
  const channels = new Map([
    ["a", channel("a", false, ["current", false], ...parents)],
    ["b", channel("b", true, ["behind", true])],
  ]);
  const { run, requests } = startRun({ channels }, () => ({ messages: [] }));
  await recoverThreads(run);
  expect(requests.map(({ path }) => path!.parent_id)).toEqual(
    parents
      .map(([id]) => id)
      .slice(2)
      .toReversed(),
  );
});

test("totals that an event has changed meanwhile are not replaced by an older answer", async () => {
  const state = { totals: {} };
  const reply = { total_unread_count: 3, total_unread_threads_count: 1, channels: [], threads: [] };
  const quiet = startRun(state, () => reply);
  await recoverTotals(quiet.run);
  expect(quiet.applied).toMatchObject([{ kind: "totals" }]);
  const busy = startRun(state, () => {
    state.totals = {};
    return reply;
  });
  await recoverTotals(busy.run);
  expect(busy.applied).toEqual([]);
});

const refusal = (status: number, code: number): ApiError => new ApiError("no", { status, code });
test.each<[string, step: string, failedRuns: number, error: Error, tries: number, isTriedLater: boolean]>([
  ["a failure of the network", "thread", 0, new Error("offline"), 3, true],
  ["a failure of the provider", "channels", 9, refusal(500, -1), 3, true],
  ["a refusal of a thread", "thread", 0, refusal(400, INPUT_ERROR), 1, false],
  ["a refusal of the list for another reason", "list", 0, refusal(403, 17), 1, false],
  ["the first refusal of the list", "list", 0, refusal(400, INPUT_ERROR), 1, true],
  ["the fifth refusal of the channels in a row", "channels", 4, refusal(400, INPUT_ERROR), 1, true],
  ["the sixth refusal of the channels in a row", "channels", 5, refusal(400, INPUT_ERROR), 1, false],
])(
  "D6: %s ends a step after the tries that may help, and a later run only repeats what may pass",
  async (_, step, failedRuns, error, tries, isTriedLater) => {
    const clock = new VirtualClock();
    const deps = { clock, random: fixedRandom(0.5), log: fakeLog(), machine: { offset: () => 0 } };
    const run = new RecoveryAttempt(deps as unknown as RecoveryDeps, new Map(), false, failedRuns);
    let asked = 0;
    const ended = run.step(step, () => {
      asked++;
      return Promise.reject(error);
    });
    await clock.advance(600_000);
    expect(await ended).toBeUndefined();
    expect([asked, run.complete, run.shouldRetry]).toEqual([tries, false, isTriedLater]);
  },
);
