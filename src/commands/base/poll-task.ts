/** Polls a job of the provider until it has finished, the time is up, or the caller aborts. */
import { setTimeout } from "node:timers/promises";
import { isFilledText } from "../../wire/json-object.ts";
import { timeToMs } from "../../wire/time.ts";
import type { Task } from "../../wire/entities/task.ts";
import { CommandError, type ArgRow, type Args, type Call } from "./define-command.ts";

type Waiting = Pick<Call<Args>, "core" | "signal" | "progress" | "now">;

/** Milliseconds between polls: short at first, for jobs that finish at once (specification/admin.md §8: 1 s). */
const FIRST_DELAY = 50;
const MAX_DELAY = 1000;

/** `--within 60s` of commands that wait. */
export const WITHIN = {
  kind: "time",
  direction: "future",
  value: "time",
  help: "Stop waiting after this time (exit 8); the job continues",
} as const satisfies ArgRow;

/** `--no-wait` of commands that start a job. */
export const NO_WAIT = {
  kind: "flag",
  help: "Do not wait; only print the task's id",
} as const satisfies ArgRow;

/** Throws `CommandError` (usage) for a time limit without waiting. */
export function checkWaiting({ noWait, within }: { noWait?: boolean; within?: string | undefined }): void {
  if (noWait && within !== undefined)
    throw new CommandError("usage", "--within and --no-wait cannot be combined.");
}

/** Waits some milliseconds; rejects with the reason of the signal when it aborts. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted());

/** The time limit in `performance.now()`: a clock that is set meanwhile neither ends a wait nor prolongs it. */
export const deadlineOf = (within: string | undefined, now: () => number): number =>
  within === undefined ? Infinity : performance.now() + timeToMs(within) - now();

/** Polling survives this many milliseconds of failures: the provider may be restarting. */
const MAX_OUTAGE = 60_000;

/** The response, or undefined for a temporary failure; the first poll must succeed. */
async function tryPoll<T>(last: number | undefined, poll: () => Promise<T>) {
  try {
    return { value: await poll() };
  } catch (error) {
    const isTemporary = (error as { retryable?: boolean }).retryable === true;
    if (last === undefined || !isTemporary || performance.now() - last >= MAX_OUTAGE) throw error;
    return undefined;
  }
}

/** Yields each polled value, the last one finished. `within` is RFC 3339. Throws permanent errors, and temporary ones after a minute. */
export async function* pollUntil<T>(
  call: Pick<Waiting, "signal" | "now">,
  options: { within?: string | undefined; every?: number; again: string },
  poll: () => Promise<T>,
  isOver: (value: T) => boolean,
): AsyncIterable<T> {
  const end = deadlineOf(options.within, call.now);
  let last: number | undefined;
  for (let ms = FIRST_DELAY; ; ms = Math.min(ms * 2, options.every ?? MAX_DELAY)) {
    call.signal.throwIfAborted();
    const response = await tryPoll(last, poll);
    if (response) {
      last = performance.now();
      yield response.value;
      if (isOver(response.value)) return;
    }
    if (performance.now() + ms >= end)
      throw new CommandError("pending", "It has not finished yet.", options.again);
    await sleep(ms, call.signal);
  }
}

const isFinished = ({ status }: Task): boolean => status === "completed" || status === "failed";

/** A value that a later step needs of a change's answer. Throws `CommandError` (unknown) without it: the change is done. */
export function answered(value: string | undefined, what: string): string {
  if (isFilledText(value)) return value;
  throw new CommandError(
    "unknown",
    `The provider took the call, but its answer names no ${what}.`,
    "it may be going on there: look before you repeat it",
  );
}

/** Waits for a task to complete. Throws `CommandError` (failed) when it fails. */
export async function waitForTask(
  call: Waiting,
  task: string | undefined,
  options: { within?: string | undefined; label: string },
): Promise<Task> {
  const id = answered(task, "task");
  let last: Task | undefined;
  const poll = (): Promise<Task> => call.core.call("getTask", { path: { id } });
  for await (const task of pollUntil(
    call,
    { ...options, again: `parley task wait ${id}` },
    poll,
    isFinished,
  )) {
    last = task;
    call.progress(isFinished(task) ? 1 : 0, 1, `${options.label}: ${task.status}`);
  }
  if (last!.status === "failed")
    throw new CommandError("failed", `The task failed: ${last!.error?.description ?? "no reason given"}.`);
  return last!;
}
