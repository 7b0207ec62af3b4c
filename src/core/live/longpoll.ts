/** A long-poll session: open or resume, poll repeatedly, close (specification/realtime.md §11). */
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
import { readHello, type Attempt, type AttemptHandlers, type EventReader } from "./connection-attempt.ts";
import type { End } from "./transitions.ts";

/** How far the answers of a session have arrived; absent = the provider does not count. */
export interface Taken {
  session?: string;
  last?: number | undefined;
}

interface LongPollDeps {
  call: ApiCall;
  clock: Clock;
  reader: EventReader;
  /** Outlives the attempts: a session is polled again only where the provider tells again what got lost. */
  taken: Taken;
}

interface LongPollStart {
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

const numberOf = ({ last }: LongPollReply): number | undefined =>
  typeof last === "number" ? last : undefined;

/**
 * What no other answer has brought yet; notes how far answers have arrived. `after` is what its poll said: an answer that
 * ends behind it does not count on, one that ends between it and what has arrived since is late and has nothing new.
 */
function unseen(taken: Taken, reply: LongPollReply, after: number): LongPollReply {
  const { events = [] } = reply;
  const before = taken.last;
  const last = numberOf(reply);
  if (before !== undefined && last !== undefined && last >= after) {
    taken.last = Math.max(before, last);
    if (Array.isArray(events))
      return { ...reply, events: events.slice(Math.max(0, before - (last - events.length))) };
  }
  taken.last = last;
  return reply;
}

export class LongPollAttempt implements Attempt {
  readonly #deps: LongPollDeps;
  readonly #start: LongPollStart;
  readonly #handlers: LongPollHandlers;
  readonly #abort = new AbortController();
  #session: string | undefined;
  #at: "open" | "poll" = "open";
  #over = false;
  /** Numbers the loops of polls: one that was replaced takes its last answer and ends. */
  #loop = 0;
  #running: Promise<void>;

  constructor(deps: LongPollDeps, start: LongPollStart, handlers: LongPollHandlers) {
    const { session, last } = deps.taken;
    this.#deps = deps;
    this.#start = start;
    this.#handlers = handlers;
    // A poll that was given up may arrive late and eat what the next one waits for (D6): without numbers a new session is the safe one.
    if (start.session === session && last !== undefined) this.#session = session;
    if (this.#session !== undefined) this.#at = "poll";
    this.#running = this.#run().catch(this.#failed);
  }

  renew(): void {
    // The provider answers the held poll when a second one comes; a first one goes with the newer token by itself.
    if (this.#loop > 0 && !this.#over) this.#running = this.#poll(this.#running).catch(this.#failed);
  }

  ping(): void {
    this.#deps.call("hi", { timeout: SUSPICION_DEADLINE, signal: this.#abort.signal }).then(
      () => {
        if (!this.#over) this.#handlers.alive();
      },
      () => undefined,
    );
  }

  async close(): Promise<void> {
    this.drop();
    if (this.#session === undefined) return;
    const query = { connection_id: this.#session, close: true };
    await this.#deps.call("longPoll", { query, timeout: CLOSE_WAIT }).then(
      () => undefined,
      () => undefined,
    );
  }

  drop(): void {
    this.#over = true;
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    await (this.#session === undefined ? this.#open() : this.#resume(this.#session));
    this.#at = "poll";
    if (!this.#over) await this.#poll(Promise.resolve());
  }

  async #open(): Promise<void> {
    const { call, reader, taken } = this.#deps;
    const reply = await call("longPoll", {
      query: { json: this.#start.payload },
      timeout: LONGPOLL_OPEN_TIMEOUT,
      signal: this.#abort.signal,
    });
    if (this.#over) return;
    const event = reader.read(reply.event);
    const hello = event && readHello(event);
    if (!hello)
      return this.#end({ kind: "network", message: "the long poll was opened without a connection" });
    this.#session = taken.session = hello.connectionId;
    taken.last = undefined;
    this.#handlers.healthCheck(hello.createdAt);
    this.#handlers.opened(hello);
    this.#take(reply);
  }

  /** Waiting for the first held poll would leave a living link unused for 25 s, so reachability is asked first. */
  async #resume(connectionId: string): Promise<void> {
    await this.#deps.call("hi", { timeout: REQUEST_TIMEOUT, signal: this.#abort.signal });
    if (!this.#over) this.#handlers.opened({ connectionId, resumed: true });
  }

  /** Polls until it is over or replaced by a poll with a newer token; `before` is the one that this one replaces. */
  async #poll(before: Promise<void>): Promise<void> {
    const { clock, taken } = this.#deps;
    const mine = ++this.#loop;
    let isFirst = true;
    before.finally(() => (isFirst = false)).catch(() => {});
    let next: Promise<LongPollReply> | undefined;
    for (;;) {
      if (this.#over || mine !== this.#loop) return;
      const asked = clock.monotonic();
      const after = taken.last ?? 0;
      const reply = await (next ?? this.#ask(after));
      next = undefined;
      // Numbers tell what is new in an answer, in whatever order answers come. Without them it waits for the one before it.
      if (numberOf(reply) === undefined) {
        // It may have overtaken that one, which is held now with the older token: one more makes the provider answer it.
        if (isFirst) next = this.#ask(after);
        next?.catch(() => {});
        await before;
      }
      if (this.#over) return;
      this.#handlers.polled();
      // What answers at once, with nothing, nonsense or the same again, must not be asked a thousand times a second.
      const least = this.#take(unseen(taken, reply, after)) ? BUSY_PAUSE : EMPTY_PAUSE;
      const early = least - (clock.monotonic() - asked);
      if (early > 0 && mine === this.#loop) await wait(clock, early, this.#abort.signal);
    }
  }

  #ask(after: number): Promise<LongPollReply> {
    const { call } = this.#deps;
    const query = { connection_id: this.#session!, after };
    return call("longPoll", { query, timeout: LONGPOLL_READ_TIMEOUT, signal: this.#abort.signal });
  }

  /** Whether anything of it counts. */
  #take(reply: LongPollReply): boolean {
    this.#handlers.alive();
    const events: AnyEvent[] = [];
    for (const value of Array.isArray(reply.events) ? reply.events : []) {
      const event = this.#deps.reader.read(value);
      if (event?.type === "health.check") this.#handlers.healthCheck(event.created_at);
      else if (event) events.push(event);
    }
    if (events.length) this.#handlers.events(events);
    return events.length > 0;
  }

  readonly #failed = (error: unknown): void => this.#end(endOf(error, this.#at));

  #end(how: End): void {
    if (this.#over) return;
    this.drop();
    this.#handlers.ended(how);
  }
}
