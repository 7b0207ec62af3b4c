/** What a recovery requests beside the channels: the threads opened last, and totals that nothing newer replaces (D7, R-READ-8). */
import { expect, test } from "vitest";
import { recoverThreads, recoverTotals } from "../../../src/core/live/recovery.ts";
import type { RecoveryAttempt } from "../../../src/core/live/recovery-attempt.ts";

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
