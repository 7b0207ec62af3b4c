/** Waits for something that others do: looks again after each event that concerns it and after each reconnect. */
import type { AnyEvent } from "../../wire/events.ts";
import { timeToMs } from "../../wire/time.ts";
import { type Args, type CommandCall, CommandError } from "./define-command.ts";
import { pathOf } from "./place.ts";

/** `--within` of what waits for a person. */
export const GIVE_UP = {
  kind: "time",
  direction: "future",
  value: "time",
  help: "Stop waiting after this time (exit 8)",
} as const;

/** What happened since the last look; `missed`: something may have happened that no event told. */
export interface News {
  events: AnyEvent[];
  missed: boolean;
}

type Waiting = Pick<CommandCall<Args>, "core" | "signal" | "now" | "machine">;

/** What a timer takes, milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Calls `late` when the time is up; gives back what calls that off. */
function startTimer({ now }: Pick<Waiting, "now">, within: string | undefined, late: () => void): () => void {
  const left = within === undefined ? undefined : Math.max(0, timeToMs(within) - now());
  const timer = left === undefined ? undefined : setTimeout(late, Math.min(left, LONGEST));
  return () => clearTimeout(timer);
}

/** What comes of it; undefined when the time is up before. Rejects when the run is called off. */
async function inTime<T>(
  call: Waiting,
  within: string | undefined,
  work: Promise<T>,
): Promise<T | undefined> {
  const over = Promise.withResolvers<undefined>();
  const stop = (): void => over.reject(call.signal.reason);
  call.signal.addEventListener("abort", stop, { once: true });
  const forget = startTimer(call, within, () => over.resolve(undefined));
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    forget();
    call.signal.removeEventListener("abort", stop);
  }
}

/** The connection, with the channel watched; undefined when the time is up before it stands. */
async function watchLive(
  call: Waiting,
  cid: string,
  within: string | undefined,
): Promise<{ stopped: Promise<never> } | undefined> {
  if (!call.machine) throw new CommandError("usage", "Only a shell can wait for others.");
  // Looked up first: watching would make a channel that is not there.
  await call.core.call("getChannel", { path: pathOf(cid), query: { state: false } });
  const live = await inTime(call, within, call.machine.live());
  if (live) await call.core.watch(cid);
  return live;
}

/** News as they gather, and a promise of the next. */
class Gathered {
  #news: News = { events: [], missed: true };
  #next = Promise.withResolvers<void>();

  constructor() {
    // Nobody may be waiting when the run is called off.
    this.#next.promise.catch(() => {});
  }

  add(event?: AnyEvent): void {
    if (event) this.#news.events.push(event);
    else this.#news.missed = true;
    this.#next.resolve();
  }

  /** The time is up. */
  late = false;
  readonly end = (): void => {
    this.late = true;
    this.#next.resolve();
  };
  readonly fail = (reason: unknown): void => this.#next.reject(reason);

  take(): News {
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
 * What `look` finds, which is asked as soon as the channel is watched and then with all news together; undefined when the time is up.
 * `within` is an RFC 3339 moment. Throws `CommandError` where nothing can be heard live.
 */
export async function until<T>(
  call: Waiting,
  cid: string,
  options: { within?: string | undefined; concerns(event: AnyEvent): boolean },
  look: (news: News) => Promise<T | undefined>,
): Promise<T | undefined> {
  const live = await watchLive(call, cid, options.within);
  if (!live) return undefined;
  const { core, signal } = call;
  const gathered = new Gathered();
  const unsubscribe = core.on("all", (event) => {
    if (event.type === "connection.recovered") gathered.add();
    else if (options.concerns(event)) gathered.add(event);
  });
  const stop = (): void => gathered.fail(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  const forget = startTimer(call, options.within, gathered.end);
  try {
    for (;;) {
      signal.throwIfAborted();
      const found = await Promise.race([look(gathered.take()), live.stopped]);
      if (found !== undefined || gathered.late) return found;
      await Promise.race([gathered.next, live.stopped]);
    }
  } finally {
    forget();
    signal.removeEventListener("abort", stop);
    unsubscribe();
  }
}
