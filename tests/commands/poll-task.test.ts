/** Waiting for jobs: it ends with the job, with the time, and with the caller (specification/command-line.md §1). */
import { expect, test } from "vitest";
import type { Task, TaskStatus } from "../../src/wire/task.ts";
import { asking, taskDone } from "../../src/commands/base/poll-task.ts";

const soon = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** A provider whose task goes through these states, the last one for ever. */
function jobs(...states: TaskStatus[]): {
  call: Parameters<typeof taskDone>[0];
  asked: () => number;
  abort(): void;
} {
  const stop = new AbortController();
  let asked = 0;
  const answer = (): Task => ({
    task_id: "t",
    status: states[Math.min(asked++, states.length - 1)]!,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    ...(states.at(-1) === "failed" ? { error: { type: "internal", description: "no disk" } } : {}),
  });
  return {
    asked: () => asked,
    abort: () => stop.abort(),
    call: {
      core: { call: () => Promise.resolve(answer()) } as never,
      signal: stop.signal,
      progress: () => {},
      now: () => Date.now(),
    },
  };
}

test("asks until the task is completed", async () => {
  const { call, asked } = jobs("waiting", "running", "completed");
  expect((await taskDone(call, "t", { what: "x" })).status).toBe("completed");
  expect(asked()).toBe(3);
});

test("a failed task is a fault with its reason", async () => {
  const { call } = jobs("running", "failed");
  await expect(taskDone(call, "t", { what: "x" })).rejects.toMatchObject({
    kind: "failed",
    message: "The task failed: no disk.",
  });
});

test("when the time is up it says how to wait on, and the job is left alone", async () => {
  const { call, asked } = jobs("running");
  await expect(taskDone(call, "t", { what: "x", within: soon(120) })).rejects.toMatchObject({
    kind: "pending",
    hint: "parley task wait t",
  });
  expect(asked()).toBeGreaterThan(0);
});

test("the caller's signal ends a wait in the middle of a pause", async () => {
  const { call, abort } = jobs("running");
  const waiting = asking(
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
