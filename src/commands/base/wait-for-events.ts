/** Waits for actions of others: checks again after each relevant event and each reconnect. */
import type { AnyEvent } from "../../wire/events.ts";
import { neverConnected } from "../../model/transport.ts";
import { type Args, type Call, CommandError } from "./define-command.ts";
import { deadlineOf } from "./poll-task.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";

/** `--within` of commands that wait for people. */
export const GIVE_UP = {
  kind: "time",
  direction: "future",
  value: "time",
  help: "Stop waiting after this time (exit 8)",
} as const;

/** Events since the last check; `missed`: there may have been others, as after a reconnect. */
export interface NewEvents {
  events: AnyEvent[];
  missed: boolean;
}

type Waiting = Pick<Call<Args>, "core" | "signal" | "now" | "machine">;

/** Maximum of a timer in milliseconds. */
const MAX_TIMER = 2 ** 31 - 1;

/** Calls `onTimeUp` at the deadline; returns a function that cancels it. */
function startTimer(deadline: number, onTimeUp: () => void): () => void {
  const remaining = Math.max(0, deadline - performance.now());
  const timer = remaining === Infinity ? undefined : setTimeout(onTimeUp, Math.min(remaining, MAX_TIMER));
  return () => clearTimeout(timer);
}

/** The result of `work`; undefined when the time is up first. Rejects when the signal aborts. */
async function withTimeLimit<T>(call: Waiting, deadline: number, work: Promise<T>): Promise<T | undefined> {
  const timeUp = Promise.withResolvers<undefined>();
  const stop = (): void => timeUp.reject(call.signal.reason);
  call.signal.addEventListener("abort", stop, { once: true });
  const cancelTimer = startTimer(deadline, () => timeUp.resolve(undefined));
  try {
    return await Promise.race([work, timeUp.promise]);
  } finally {
    cancelTimer();
    call.signal.removeEventListener("abort", stop);
  }
}

/** Connects and watches the channel. Throws `TransportError` when the time is up first. */
async function watchLive(call: Waiting, cid: string, deadline: number): Promise<{ stopped: Promise<never> }> {
  if (!call.machine) throw new CommandError("usage", "Only a shell can wait for others.");
  // Checked first: watching a missing channel would create it.
  await lookUpChannel(call.core, cid);
  const live = await withTimeLimit(call, deadline, call.machine.live());
  if (!live) throw neverConnected();
  await call.core.watch(cid);
  return live;
}

/** Collects events and signals the next one. */
class EventQueue {
  #news: NewEvents = { events: [], missed: true };
  #next = Promise.withResolvers<void>();

  constructor() {
    // Avoids an unhandled rejection when nobody is waiting.
    this.#next.promise.catch(() => {});
  }

  add(event?: AnyEvent): void {
    if (event) this.#news.events.push(event);
    else this.#news.missed = true;
    this.#next.resolve();
  }

  /** Whether the time is up. */
  isTimeUp = false;
  readonly end = (): void => {
    this.isTimeUp = true;
    this.#next.resolve();
  };
  readonly fail = (reason: unknown): void => this.#next.reject(reason);

  take(): NewEvents {
    const news = this.#news;
    this.#news = { events: [], missed: false };
    this.#next = Promise.withResolvers();
    this.#next.promise.catch(() => {});
    return news;
  }

  get next(): Promise<void> {
    return this.#next.promise;
  }
}

/**
 * Calls `check` once the channel is watched and again after relevant events, until it returns a value; undefined when the time is up.
 * `within` is RFC 3339. Throws `CommandError` without a shell.
 */
export async function waitForEvents<T>(
  call: Waiting,
  cid: string,
  options: { within?: string | undefined; concerns(event: AnyEvent): boolean },
  check: (news: NewEvents) => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = deadlineOf(options.within, call.now);
  const live = await watchLive(call, cid, deadline);
  const { core, signal } = call;
  const queue = new EventQueue();
  const unsubscribe = core.on("all", (event) => {
    if (event.type === "connection.recovered") queue.add();
    else if (options.concerns(event)) queue.add(event);
  });
  const stop = (): void => queue.fail(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  const cancelTimer = startTimer(deadline, queue.end);
  try {
    for (;;) {
      signal.throwIfAborted();
      const found = await Promise.race([check(queue.take()), live.stopped]);
      if (found !== undefined || queue.isTimeUp) return found;
      await Promise.race([queue.next, live.stopped]);
    }
  } finally {
    cancelTimer();
    signal.removeEventListener("abort", stop);
    unsubscribe();
  }
}
