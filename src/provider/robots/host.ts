/** The interface of robots to their provider: calls, committed events, files and time. */
import type { BodyOf, EndpointName, PathOf, QueryOf, ResultOf } from "../../wire/endpoints/index.ts";
import type { Handlers } from "../base/handler.ts";
import type { AnyEvent } from "../../wire/events.ts";

export interface Performed<K extends EndpointName> {
  path?: PathOf<K>;
  query?: QueryOf<K>;
  body?: BodyOf<K>;
  /** Whole microseconds at which it happened; absent = now. Only the past makes sense. */
  at?: number;
}

export interface RobotHost {
  /** One call as the server, inside the transaction of `transaction` or in one of its own. Throws an `ApiProblem`. */
  perform<K extends keyof Handlers>(name: K, args: Performed<K>): ResultOf<K>;
  /** Everything `run` performs is committed at once, and its events are not sent. */
  quietly(run: () => void): void;
  /** Everything `run` performs is committed at once and its events are sent after it. */
  together(run: () => void): void;
  /** Resolves when no connection has more queued than it can take: a robot waits here instead of filling memory. */
  drained(): Promise<void>;
  /** Stores a file and gives its signed address. */
  storeFile(cid: string, name: string, mimeType: string, bytes: Uint8Array): string;
  /** Channel events after their commit. */
  onEvent(listener: (event: AnyEvent) => void): () => void;
  /** Is any connection open: the moving parts rest while nobody looks. */
  anyoneOnline(): boolean;
  /** UUID v4. */
  uuid(): string;
  /** Whole microseconds. */
  now(): number;
  after(ms: number, run: () => void): { cancel(): void };
}
