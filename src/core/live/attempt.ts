/** What both transports look like to the connection: one attempt that opens at most once and ends exactly once. */
import type { AnyEvent } from "../../wire/events.ts";
import type { OwnUser } from "../../wire/user.ts";
import type { End } from "./transitions.ts";

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

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An event, or undefined for anything that has no type. `received_at` is added here (events.md §1). */
export function readEvent(value: unknown, now: number): AnyEvent | undefined {
  if (!isRecord(value) || typeof value.type !== "string") return undefined;
  value.received_at = new Date(now).toISOString();
  return value as AnyEvent;
}

/** The hello of a health check that opens a connection; undefined when it names no connection. */
export function readHello(event: AnyEvent): Hello | undefined {
  const { connection_id: id, me, created_at: createdAt } = event;
  if (event.type !== "health.check" || typeof id !== "string" || id === "") return undefined;
  return {
    connectionId: id,
    ...(isRecord(me) && typeof me.id === "string" && { me: me as unknown as OwnUser }),
    ...(typeof createdAt === "string" && { createdAt }),
    resumed: false,
  };
}
