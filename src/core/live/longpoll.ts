/** A long-poll session: opens or resumes, polls repeatedly, closes (specification/realtime.md §11). */
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
import { reach } from "./reach.ts";
import type { ApiCall } from "../base/api-types.ts";
import { wait } from "../base/wait.ts";
import type { Clock } from "../base/ports.ts";
import { readHello, type Attempt, type AttemptHandlers, type EventReader } from "./attempts.ts";
import type { End } from "./transitions.ts";

/** Number of the last event received in a session; absent = the provider does not number events. */
export interface PollPosition {
  session?: string;
  last?: number | undefined;
}

interface LongPollDeps {
  call: ApiCall;
  clock: Clock;
  reader: EventReader;
  /** Shared by all attempts: a session is resumed only if the provider numbers events and can repeat lost ones. */
  position: PollPosition;
}

interface LongPollStart {
  /** The handshake as JSON. */
  payload: string;
  /** A session that may still be alive: a probe runs first, then it is polled. */
  session?: string;
}

/** Least milliseconds between two polls, after an empty answer and after one with events. */
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
 * The answer without events received before; updates the position. `after` is the position sent with its poll. An answer
 * that ends before `after` restarts the numbering; one that ends before the current position is late and has nothing new.
 */
function withoutSeen(position: PollPosition, reply: LongPollReply, after: number): LongPollReply {
  const { events = [] } = reply;
  const before = position.last;
  const last = numberOf(reply);
  if (before !== undefined && last !== undefined && last >= after) {
    position.last = Math.max(before, last);
    if (Array.isArray(events))
      return { ...reply, events: events.slice(Math.max(0, before - (last - events.length))) };
  }
  position.last = last;
  return reply;
}

export class LongPollAttempt implements Attempt {
  readonly #deps: LongPollDeps;
  readonly #start: LongPollStart;
  readonly #handlers: LongPollHandlers;
  readonly #abort = new AbortController();
  #session: string | undefined;
  #at: "open" | "poll" = "open";
  #ended = false;
  /** Number of the current loop of polls: a replaced loop handles its last answer and ends. */
  #loop = 0;
  #running: Promise<void>;

  constructor(deps: LongPollDeps, start: LongPollStart, handlers: LongPollHandlers) {
    const { session, last } = deps.position;
    this.#deps = deps;
    this.#start = start;
    this.#handlers = handlers;
    // An abandoned poll may still arrive and take the next events (D6): without event numbers only a new session is safe.
    if (start.session === session && last !== undefined) this.#session = session;
    if (this.#session !== undefined) this.#at = "poll";
    this.#running = this.#run().catch(this.#failed);
  }

  renew(): void {
    // A second poll with the new token makes the provider answer the pending one. Before the first poll nothing is needed.
    if (this.#loop > 0 && !this.#ended) this.#running = this.#poll(this.#running).catch(this.#failed);
  }

  ping(): void {
    reach(this.#deps.call, { timeout: SUSPICION_DEADLINE, signal: this.#abort.signal }).then(
      () => {
        if (!this.#ended) this.#handlers.alive();
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
    this.#ended = true;
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    await (this.#session === undefined ? this.#open() : this.#resume(this.#session));
    this.#at = "poll";
    if (!this.#ended) await this.#poll(Promise.resolve());
  }

  async #open(): Promise<void> {
    const { call, reader, position } = this.#deps;
    const reply = await call("longPoll", {
      query: { json: this.#start.payload },
      timeout: LONGPOLL_OPEN_TIMEOUT,
      signal: this.#abort.signal,
    });
    if (this.#ended) return;
    const event = reader.read(reply.event);
    const hello = event && readHello(event);
    if (!hello)
      return this.#end({ kind: "network", message: "the long poll was opened without a connection" });
    this.#session = position.session = hello.connectionId;
    position.last = undefined;
    this.#handlers.healthCheck(hello.createdAt);
    this.#handlers.opened(hello);
    this.#deliver(reply);
  }

  /** The first poll may take 25 s to be answered, so a quick probe checks the connection first. */
  async #resume(connectionId: string): Promise<void> {
    await reach(this.#deps.call, { timeout: REQUEST_TIMEOUT, signal: this.#abort.signal });
    if (!this.#ended) this.#handlers.opened({ connectionId, resumed: true });
  }

  /** Polls until the session ends or another loop with a newer token replaces this one; `before` is the loop it replaces. */
  async #poll(before: Promise<void>): Promise<void> {
    const { clock, position } = this.#deps;
    const loop = ++this.#loop;
    let isFirst = true;
    before.finally(() => (isFirst = false)).catch(() => {});
    let next: Promise<LongPollReply> | undefined;
    for (;;) {
      if (this.#ended || loop !== this.#loop) return;
      const startedAt = clock.monotonic();
      const after = position.last ?? 0;
      const reply = await (next ?? this.#request(after));
      next = undefined;
      // Event numbers allow answers in any order. Without them, wait for the replaced loop.
      if (numberOf(reply) === undefined) {
        // This answer may have overtaken the older poll, which is still pending: another poll makes the provider answer it.
        if (isFirst) next = this.#request(after);
        next?.catch(() => {});
        await before;
      }
      if (this.#ended) return;
      this.#handlers.polled();
      // A provider that answers at once without new events must not be polled in a tight loop.
      const minimumPause = this.#deliver(withoutSeen(position, reply, after)) ? BUSY_PAUSE : EMPTY_PAUSE;
      const remaining = minimumPause - (clock.monotonic() - startedAt);
      if (remaining > 0 && loop === this.#loop) await wait(clock, remaining, this.#abort.signal);
    }
  }

  #request(after: number): Promise<LongPollReply> {
    const { call } = this.#deps;
    const query = { connection_id: this.#session!, after };
    return call("longPoll", { query, timeout: LONGPOLL_READ_TIMEOUT, signal: this.#abort.signal });
  }

  /** Delivers the events of an answer; true when there were any. */
  #deliver(reply: LongPollReply): boolean {
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

  #end(end: End): void {
    if (this.#ended) return;
    this.drop();
    this.#handlers.ended(end);
  }
}
