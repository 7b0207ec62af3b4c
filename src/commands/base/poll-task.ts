/** Waits for a job of the provider by asking again until it is over, the time is up, or the caller stops. */
import { timeToMs } from "../../wire/time.ts";
import type { Task } from "../../wire/entities/task.ts";
import { CommandError, type ArgRow, type Args, type CommandCall } from "./define-command.ts";

type Waiting = Pick<CommandCall<Args>, "core" | "signal" | "progress" | "now">;

/** Milliseconds between questions: short at first, for jobs that are over at once (specification/admin.md §8: 1 s). */
const FIRST = 50;
const LATER = 1000;

/** `--within 60s` of every command that waits. */
export const WITHIN = {
  kind: "time",
  direction: "future",
  value: "time",
  help: "Stop waiting after this time (exit 8); the job continues",
} as const satisfies ArgRow;

/** `--no-wait` of every command that begins a job. */
export const NO_WAIT = {
  kind: "flag",
  help: "Do not wait; only print the task's id",
} as const satisfies ArgRow;

/** Milliseconds; ends early, with its reason, when the signal does. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return void reject(signal.reason as Error);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Milliseconds without an answer that a wait outlasts: a provider may be stopped and started again meanwhile. */
const PATIENCE = 60_000;

/** An answer; undefined while there is none, for a reason that may pass. The first has to come. */
async function answer<T>(now: () => number, last: number | undefined, ask: () => Promise<T>) {
  try {
    return { value: await ask() };
  } catch (error) {
    const mayPass = (error as { retryable?: boolean }).retryable === true;
    if (last === undefined || !mayPass || now() - last >= PATIENCE) throw error;
    return undefined;
  }
}

/**
 * Yields what `ask` answers each time, the last one being over. `within` is an RFC 3339 moment. Throws what `ask` throws
 * when it lasts, or has lasted for a minute.
 */
export async function* pollUntil<T>(
  call: Pick<Waiting, "signal" | "now">,
  options: { within?: string | undefined; every?: number; again: string },
  ask: () => Promise<T>,
  over: (value: T) => boolean,
): AsyncIterable<T> {
  const end = options.within === undefined ? Infinity : timeToMs(options.within);
  let last: number | undefined;
  for (let ms = FIRST; ; ms = Math.min(ms * 2, options.every ?? LATER)) {
    call.signal.throwIfAborted();
    const answered = await answer(call.now, last, ask);
    if (answered) {
      last = call.now();
      yield answered.value;
      if (over(answered.value)) return;
    }
    if (call.now() + ms >= end) throw new CommandError("pending", "It has not finished yet.", options.again);
    await sleep(ms, call.signal);
  }
}

const ended = ({ status }: Task): boolean => status === "completed" || status === "failed";

/** The task at its good end; a failed one is a `CommandError` (failed). */
export async function taskDone(
  call: Waiting,
  id: string,
  options: { within?: string | undefined; what: string },
): Promise<Task> {
  let last: Task | undefined;
  const ask = (): Promise<Task> => call.core.call("getTask", { path: { id } });
  for await (const task of pollUntil(call, { ...options, again: `parley task wait ${id}` }, ask, ended)) {
    last = task;
    call.progress(ended(task) ? 1 : 0, 1, `${options.what}: ${task.status}`);
  }
  if (last!.status === "failed")
    throw new CommandError("failed", `The task failed: ${last!.error?.description ?? "no reason given"}.`);
  return last!;
}
