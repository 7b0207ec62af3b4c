/** Attempts to connect: what both transports have in common, which attempt is the current one, and how another takes its place (specification/realtime.md §5, §11). */
import type { AnyEvent } from "../../wire/events.ts";
import { eventProblem } from "../../wire/reading.ts";
import type { OwnUser } from "../../wire/entities/user.ts";
import type { Clock, Log, Timer } from "../base/ports.ts";
import type { Oddities } from "../http/oddities.ts";
import type { End, LinkState, Mode } from "./transitions.ts";
import { isObject } from "../../wire/json-object.ts";
import { WEBSOCKET_RETRY_ON_LONGPOLL } from "../../wire/constants.ts";

/** The first frame. */
export interface Hello {
  connectionId: string;
  /** Absent when a long-poll session was resumed. */
  me?: OwnUser;
  createdAt?: string;
  resumed: boolean;
}

export interface AttemptHandlers {
  opened(hello: Hello): void;
  /** All events of one tick, without health checks. */
  events(batch: AnyEvent[]): void;
  alive(): void;
  /** A health check arrived, with the provider's time. */
  healthCheck(createdAt: string | undefined): void;
  ended(end: End): void;
}

export interface Attempt {
  ping(): void;
  /** Sends the newer token, if that needs no new connection. */
  renew?(): void;
  /** Closes cleanly (1000, or `close=true`) and waits at most CLOSE_WAIT. */
  close(): Promise<void>;
  /** Drops the connection; no handler is called afterwards. */
  drop(): void;
}

export interface EventReader {
  /** The event with `received_at` (specification/events.md §1); undefined when it is malformed. */
  read(value: unknown): AnyEvent | undefined;
  /** Counts skipped input and logs it with decreasing frequency, so that it cannot fill the log. */
  reportSkipped(why: string, fields?: Record<string, unknown>): void;
}

/** Most characters from the provider in a log line. */
const MAX_LOGGED = 100;

export function createEventReader(deps: { clock: Clock; log: Log; oddities?: Oddities }): EventReader {
  let count = 0;
  const skipped: EventReader["reportSkipped"] = (why, fields) => {
    count += 1;
    if (Number.isInteger(Math.log2(count)))
      deps.log.warn(`${why.slice(0, MAX_LOGGED)} was skipped`, { ...fields, count });
  };
  return {
    reportSkipped: skipped,
    read(value) {
      if (!isObject(value) || typeof value.type !== "string") {
        skipped("an event without a type");
        return undefined;
      }
      const event = value as AnyEvent;
      const problem = eventProblem(event, deps.oddities?.of(event.type.slice(0, MAX_LOGGED)));
      if (problem !== undefined) {
        const type = event.type.slice(0, MAX_LOGGED);
        deps.oddities?.of(type)(problem.slice(0, MAX_LOGGED));
        skipped("an event the protocol does not know", { type, why: problem.slice(0, MAX_LOGGED) });
        return undefined;
      }
      event.received_at = new Date(deps.clock.now()).toISOString();
      return event;
    },
  };
}

/** Reads the first health check; undefined when it names no connection. */
export function readHello(event: AnyEvent): Hello | undefined {
  const { connection_id: id, me, created_at: createdAt } = event;
  if (event.type !== "health.check" || typeof id !== "string" || id === "") return undefined;
  return {
    connectionId: id,
    ...(isObject(me) && typeof me.id === "string" && { me: me as unknown as OwnUser }),
    ...(typeof createdAt === "string" && { createdAt }),
    resumed: false,
  };
}

export class Attempts {
  #last = 0;
  #current = 0;
  #attempt: Attempt | undefined;

  get attempt(): Attempt | undefined {
    return this.#attempt;
  }

  get number(): number {
    return this.#current;
  }

  /** A number for an attempt beside the current one. */
  reserve(): number {
    return ++this.#last;
  }

  /** Starts a new attempt; events of earlier ones are late from now on. */
  begin(): number {
    this.#attempt = undefined;
    return (this.#current = this.reserve());
  }

  isCurrent(number: number): boolean {
    return number === this.#current;
  }

  /** The attempt with this number was dialled; a late one is dropped. */
  opened(number: number, attempt: Attempt): void {
    if (this.isCurrent(number)) this.#attempt ??= attempt;
    else attempt.drop();
  }

  drop(): void {
    const attempt = this.#attempt;
    this.begin();
    attempt?.drop();
  }

  /** Replaces the current attempt and returns it. */
  replace(number: number, attempt: Attempt | undefined): Attempt | undefined {
    const old = this.#attempt;
    this.#current = number;
    this.#attempt = attempt;
    return old;
  }
}

interface HandoverDeps {
  clock: Clock;
  mode: Mode;
  attempts: Attempts;
  state(): LinkState;
  /** Dials a WebSocket with this attempt number. */
  dial(number: number): Promise<Attempt>;
}

export class Handover {
  readonly #deps: HandoverDeps;
  #trying: { number: number; attempt?: Attempt } | undefined;
  #timer: Timer | undefined;
  /** Monotonic time of the next try from long polling. */
  #due = 0;

  constructor(deps: HandoverDeps) {
    this.#deps = deps;
  }

  isTrying(number: number): boolean {
    return this.#trying?.number === number;
  }

  /** One at a time, and only beside an open connection. */
  try(): void {
    const { attempts, state } = this.#deps;
    if (this.#trying || state().phase !== "open") return;
    const number = attempts.reserve();
    const trying: { number: number; attempt?: Attempt } = { number };
    this.#trying = trying;
    this.#deps.dial(number).then(
      (attempt) => {
        if (this.#trying === trying) trying.attempt = attempt;
        else attempts.opened(number, attempt);
      },
      () => {
        if (this.#trying === trying) this.#trying = undefined;
        this.scheduleWebSocket();
      },
    );
  }

  readonly tryWebSocket = (): void => {
    this.#deps.clock.clearTimeout(this.#timer);
    this.#due = 0;
    if (this.#deps.mode === "auto") this.try();
  };

  /** While long polling, a WebSocket is tried at regular intervals. */
  scheduleWebSocket(): void {
    const { clock, mode, state } = this.#deps;
    clock.clearTimeout(this.#timer);
    const { phase, transport } = state();
    if (mode !== "auto" || phase !== "open" || transport !== "longpoll") return;
    const now = clock.monotonic();
    if (this.#due <= now) this.#due = now + WEBSOCKET_RETRY_ON_LONGPOLL;
    this.#timer = clock.setTimeout(this.tryWebSocket, this.#due - now);
  }

  /** The WebSocket has opened: it becomes the connection, and the old one is closed. */
  replaceCurrent(): void {
    const { number, attempt } = this.#trying!;
    this.#trying = undefined;
    void this.#deps.attempts.replace(number, attempt)?.close();
  }

  /** The WebSocket ended before it opened. */
  ended(): void {
    this.#trying = undefined;
  }

  /** The connection is no longer open. */
  cancel(): void {
    this.#deps.clock.clearTimeout(this.#timer);
    this.#trying?.attempt?.drop();
    this.#trying = undefined;
  }
}
