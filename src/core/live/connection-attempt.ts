/** The common interface of both transports: an attempt opens at most once and ends exactly once. */
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

export function createEventReader(deps: { clock: Clock; log: Log }): EventReader {
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
      const problem = eventProblem(event);
      if (problem !== undefined) {
        const type = event.type.slice(0, MAX_LOGGED);
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
