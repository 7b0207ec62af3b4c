/** The interface of a provider for robots: calls, committed events, files and time. */
import type { BodyOf, EndpointName, PathOf, QueryOf, ResultOf } from "../../wire/endpoints/index.ts";
import type { Handlers } from "../base/handler.ts";
import type { AnyEvent } from "../../wire/events.ts";

export interface CallArguments<K extends EndpointName> {
  path?: PathOf<K>;
  query?: QueryOf<K>;
  body?: BodyOf<K>;
  /** When the call happens, whole microseconds in the past; absent = now. */
  at?: number;
}

export interface RobotHost {
  /** One call as the server, inside the transaction of `withoutEvents` or `inOneTransaction`, else in a separate one. Throws an `ApiProblem`. */
  perform<K extends keyof Handlers>(name: K, args: CallArguments<K>): ResultOf<K>;
  /** Commits everything `run` performs in one transaction, without sending events. */
  withoutEvents(run: () => void): void;
  /** Commits everything `run` performs in one transaction, then sends its events. */
  inOneTransaction(run: () => void): void;
  /** Resolves when no connection has a long backlog: a robot waits for it instead of filling memory. */
  drained(): Promise<void>;
  storeFile(cid: string, name: string, mimeType: string, bytes: Uint8Array): string;
  /** Subscribes to channel events after their commit. */
  onEvent(listener: (event: AnyEvent) => void): () => void;
  /** Whether any connection is open; the demo pauses without one. */
  anyoneOnline(): boolean;
  uuid(): string;
  /** Whole microseconds. */
  now(): number;
  after(ms: number, run: () => void): { cancel(): void };
}
