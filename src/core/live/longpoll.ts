/** One long-poll session: open or resume, poll again and again, goodbye (specification/realtime.md §11). */
import {
  CLOSE_WAIT,
  LONGPOLL_OPEN_TIMEOUT,
  LONGPOLL_READ_TIMEOUT,
  REQUEST_TIMEOUT,
  SUSPICION_DEADLINE,
} from "../../wire/constants.ts";
import type { LongPollReply } from "../../wire/endpoints/index.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { ApiError, TransportError } from "../../model/errors.ts";
import type { ApiCall } from "../http/caller.ts";
import { wait } from "../base/wait.ts";
import type { Clock } from "../base/ports.ts";
import { readHello } from "./connection-attempt.ts";
import type { Attempt, AttemptHandlers, EventReader } from "./connection-attempt.ts";
import type { End } from "./transitions.ts";

/** How far the answers of a session have arrived; absent = the provider does not count. */
export interface Taken {
  session?: string;
  last?: number | undefined;
}

export interface LongPollDeps {
  call: ApiCall;
  clock: Clock;
  reader: EventReader;
  /** Outlives the attempts: a session is polled again only where the provider tells again what got lost. */
  taken: Taken;
}

export interface LongPollStart {
  /** The handshake as JSON text. */
  payload: string;
  /** A session that may still live: a probe decides, then it is polled. */
  session?: string;
}

/** Milliseconds from one poll to the next when it was answered with nothing, or with something. */
const EMPTY_PAUSE = 250;
const BUSY_PAUSE = 20;

function endOf(error: unknown, at: "open" | "poll"): End {
  if (error instanceof ApiError) return { kind: "error", at, error };
  if (error instanceof TransportError)
    return {
      kind: error.code === "ETIMEDOUT" ? "timeout" : "network",
      message: error.message,
      obstacle: error.obstacle,
    };
  return { kind: "network", message: error instanceof Error ? error.message : "the long poll failed" };
}

export interface LongPollHandlers extends AttemptHandlers {
  /** A poll was answered: n = 0. */
  polled(): void;
}

export function openLongPoll(deps: LongPollDeps, start: LongPollStart, handlers: LongPollHandlers): Attempt {
  const { call, clock, reader, taken } = deps;
  const abort = new AbortController();
  let over = false;
  // A poll that was given up may arrive late and eat what the next one waits for (D6): without numbers a new session is the safe one.
  const counted = start.session === taken.session && taken.last !== undefined;
  let session = counted ? start.session : undefined;

  const end = (how: End): void => {
    if (over) return;
    over = true;
    abort.abort();
    handlers.ended(how);
  };
  /** Whether anything of it counts. */
  const take = (reply: LongPollReply): boolean => {
    handlers.alive();
    const events: AnyEvent[] = [];
    for (const value of Array.isArray(reply.events) ? reply.events : []) {
      const event = reader.read(value);
      if (event?.type === "health.check") handlers.healthCheck(event.created_at);
      else if (event) events.push(event);
    }
    if (events.length) handlers.events(events);
    return events.length > 0;
  };
  const open = async (): Promise<void> => {
    const reply = await call("longPoll", {
      query: { json: start.payload },
      timeout: LONGPOLL_OPEN_TIMEOUT,
      signal: abort.signal,
    });
    if (over) return;
    const event = reader.read(reply.event);
    const hello = event && readHello(event);
    if (!hello) return end({ kind: "network", message: "the long poll was opened without a connection" });
    session = hello.connectionId;
    taken.session = session;
    taken.last = undefined;
    handlers.healthCheck(hello.createdAt);
    handlers.opened(hello);
    take(reply);
  };
  /** Waiting for the first held poll would leave a living link unused for 25 s, so reachability is asked first. */
  const resume = async (id: string): Promise<void> => {
    await call("hi", { timeout: REQUEST_TIMEOUT, signal: abort.signal });
    if (!over) handlers.opened({ connectionId: id, resumed: true });
  };
  /** The same answer without what the poll before it has brought already; notes how far answers have arrived. */
  const unseen = (reply: LongPollReply): LongPollReply => {
    const { events = [] } = reply;
    const before = taken.last;
    const last = typeof reply.last === "number" ? reply.last : undefined;
    taken.last = last;
    if (!Array.isArray(events) || before === undefined || last === undefined || last < before) return reply;
    return { ...reply, events: events.slice(Math.max(0, before - (last - events.length))) };
  };
  /** Numbers the loops of polls: one that was replaced takes its last answer and ends. */
  let loop = 0;
  const poll = async (before: Promise<void>): Promise<void> => {
    const mine = ++loop;
    for (;;) {
      if (over || mine !== loop) return;
      const asked = clock.monotonic();
      const reply = await call("longPoll", {
        query: { connection_id: session!, after: taken.last ?? 0 },
        timeout: LONGPOLL_READ_TIMEOUT,
        signal: abort.signal,
      });
      // What the poll before this one was answered with comes first.
      await before;
      if (over) return;
      handlers.polled();
      // What answers at once, with nothing, nonsense or the same again, must not be asked a thousand times a second.
      const least = take(unseen(reply)) ? BUSY_PAUSE : EMPTY_PAUSE;
      const early = least - (clock.monotonic() - asked);
      if (early > 0 && mine === loop) await wait(clock, early, abort.signal);
    }
  };
  let at: "open" | "poll" = session === undefined ? "open" : "poll";
  const failed = (error: unknown): void => end(endOf(error, at));
  const run = async (): Promise<void> => {
    await (session === undefined ? open() : resume(session));
    at = "poll";
    if (!over) await poll(Promise.resolve());
  };
  let running = run().catch(failed);
  return {
    renew() {
      // The provider answers the held poll when a second one comes.
      if (at === "poll" && !over) running = poll(running).catch(failed);
    },
    ping() {
      call("hi", { timeout: SUSPICION_DEADLINE, signal: abort.signal }).then(
        () => {
          if (!over) handlers.alive();
        },
        () => undefined,
      );
    },
    async close() {
      over = true;
      abort.abort();
      if (session === undefined) return;
      await call("longPoll", { query: { connection_id: session, close: true }, timeout: CLOSE_WAIT }).then(
        () => undefined,
        () => undefined,
      );
    },
    drop() {
      over = true;
      abort.abort();
    },
  };
}
