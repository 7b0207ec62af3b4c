/** Waiting for tasks ends with the task, the time limit or a cancel (specification/command-line.md §1). */
import { expect, onTestFinished, test, vi } from "vitest";
import type { Task, TaskStatus } from "../../src/wire/entities/task.ts";
import { ApiError, TransportError } from "../../src/model/errors.ts";
import { pollUntil, waitForTask } from "../../src/commands/base/poll-task.ts";

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** A provider whose task goes through these states and stays in the last one. */
function taskWithStates(...states: TaskStatus[]): {
  call: Parameters<typeof waitForTask>[0];
  requestCount: () => number;
  abort(): void;
} {
  const stop = new AbortController();
  let requestCount = 0;
  const answer = (): Task => ({
    task_id: "t",
    status: states[Math.min(requestCount++, states.length - 1)]!,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    ...(states.at(-1) === "failed" ? { error: { type: "internal", description: "no disk" } } : {}),
  });
  return {
    requestCount: () => requestCount,
    abort: () => stop.abort(),
    call: {
      core: { call: () => Promise.resolve(answer()) } as never,
      signal: stop.signal,
      progress: () => {},
      now: () => Date.now(),
    },
  };
}

test("polls until the task is completed", async () => {
  const { call, requestCount } = taskWithStates("waiting", "running", "completed");
  expect((await waitForTask(call, "t", { label: "x" })).status).toBe("completed");
  expect(requestCount()).toBe(3);
});

test("a failed task fails with its reason", async () => {
  const { call } = taskWithStates("running", "failed");
  await expect(waitForTask(call, "t", { label: "x" })).rejects.toMatchObject({
    kind: "failed",
    message: "The task failed: no disk.",
  });
});

test("at the time limit it says how to continue waiting", async () => {
  const { call, requestCount } = taskWithStates("running");
  await expect(waitForTask(call, "t", { label: "x", within: inMs(120) })).rejects.toMatchObject({
    kind: "pending",
    hint: "parley task wait t",
  });
  expect(requestCount()).toBeGreaterThan(0);
});

test.each([
  ["back", -3_600_000],
  ["forward", 3_600_000],
])("a clock set %s during a wait does not change when it ends", async (_, jump) => {
  const { call, requestCount } = taskWithStates("running");
  const started = performance.now();
  const now = (): number => Date.now() + (requestCount() > 0 ? jump : 0);
  const waiting = waitForTask({ ...call, now }, "t", { label: "x", within: inMs(300) });
  await expect(waiting).rejects.toMatchObject({ kind: "pending" });
  expect(performance.now() - started).toBeGreaterThan(100);
  expect(requestCount()).toBeGreaterThan(1);
});

/** Polls until the answer "over": strings are returned, errors thrown, and `step` ms pass before each answer. */
async function pollAnswers(step: number, ...answers: (string | Error)[]): Promise<string[]> {
  let now = 0;
  const seen: string[] = [];
  const ask = (): Promise<string> => {
    now += step;
    const next = answers.shift()!;
    return typeof next === "string" ? Promise.resolve(next) : Promise.reject(next);
  };
  const call = { signal: new AbortController().signal, now: () => now };
  const spy = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => spy.mockRestore());
  for await (const one of pollUntil(call, { again: "", every: 1 }, ask, (value) => value === "over"))
    seen.push(one);
  return seen;
}
const gone = new TransportError("ERR_NETWORK", "the connection was refused");
const refused = new ApiError("no", { status: 403, code: 17 });

test("losing the provider for less than a minute does not end a wait", async () => {
  expect(await pollAnswers(20_000, "on", gone, gone, "on", gone, gone, "over")).toEqual(["on", "on", "over"]);
});

test.each<[string, (string | Error)[], Error]>([
  ["one that stays away for a minute", ["on", gone, gone, gone, "over"], gone],
  ["one that was never there", [gone, "over"], gone],
  ["a refusal", ["on", refused, "over"], refused],
])("%s ends the wait", async (_, answers, error) => {
  await expect(pollAnswers(20_000, ...answers)).rejects.toBe(error);
});

test("an abort signal ends the wait during a pause", async () => {
  const { call, abort } = taskWithStates("running");
  const waiting = pollUntil(
    call,
    { again: "", every: 60_000 },
    () => Promise.resolve(1),
    () => false,
  )[Symbol.asyncIterator]();
  await waiting.next();
  const next = waiting.next();
  const started = performance.now();
  abort();
  await expect(next).rejects.toMatchObject({ name: "AbortError" });
  expect(performance.now() - started).toBeLessThan(30_000);
});
