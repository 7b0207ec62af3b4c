/** The common interface of both transports: one attempt that opens at most once and ends exactly once. */
import type { AnyEvent } from "../../wire/events.ts";
import { eventProblem } from "../../wire/reply-shapes.ts";
import type { OwnUser } from "../../wire/entities/user.ts";
import type { Clock, Log } from "../base/ports.ts";
import type { End } from "./transitions.ts";
import { isObject } from "../../wire/json-object.ts";

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
  /** Everything that came in one tick, health checks left out. */
  events(batch: AnyEvent[]): void;
  /** Any frame or answer came. */
  alive(): void;
  /** A health check came, with the provider's time. */
  healthCheck(createdAt: string | undefined): void;
  ended(end: End): void;
}

export interface Attempt {
  ping(): void;
  /** Shows the provider the newer token, where that takes no new connection. */
  renew?(): void;
  /** Says goodbye (1000, or `close=true`) and waits at most CLOSE_WAIT. */
  close(): Promise<void>;
  /** Drops it silently; no handler is called any more. */
  drop(): void;
}

export interface EventReader {
  /** The event, with `received_at` added (specification/events.md §1); undefined for anything that cannot be relied upon. */
  read(value: unknown): AnyEvent | undefined;
  /** Counts what was left out and writes it down ever more seldom: who sends nonsense must not fill the log. */
  skipped(why: string, fields?: Record<string, unknown>): void;
}

/** Characters of the provider's that a line of the log takes. */
const LOGGED = 100;

export function createEventReader(deps: { clock: Clock; log: Log }): EventReader {
  let count = 0;
  const skipped: EventReader["skipped"] = (why, fields) => {
    count += 1;
    if (Number.isInteger(Math.log2(count)))
      deps.log.warn(`${why.slice(0, LOGGED)} was skipped`, { ...fields, count });
  };
  return {
    skipped,
    read(value) {
      if (!isObject(value) || typeof value.type !== "string") {
        skipped("an event without a type");
        return undefined;
      }
      const event = value as AnyEvent;
      const problem = eventProblem(event);
      if (problem !== undefined) {
        const type = event.type.slice(0, LOGGED);
        skipped("an event the protocol does not know", { type, why: problem.slice(0, LOGGED) });
        return undefined;
      }
      event.received_at = new Date(deps.clock.now()).toISOString();
      return event;
    },
  };
}

/** The hello of a health check that opens a connection; undefined when it names no connection. */
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
