/** The messages between main and reading threads: a call, and its answer. */
import type { RouteCall, Caller } from "../base/handler.ts";

export interface Job {
  id: number;
  call: Pick<RouteCall, "name" | "op" | "path" | "query" | "body" | "connectionId" | "requestId"> & {
    caller: Caller;
  };
  /** Provider time, whole microseconds. */
  now: number;
  /** Users with a connection. */
  online: readonly string[];
  /** The connection of the call is open and the caller's. */
  open: boolean;
  /** Where file addresses begin. */
  base: string;
  /** Milliseconds the call has taken so far. */
  spent: number;
}

export interface Watching {
  userIds: string[];
  count: number;
}

/** A question of the thread that only the one with the connections can answer; the thread waits. */
export interface WatchQuestion {
  job: number;
  cids: readonly string[];
  /** The connection of the call watches them from now on. */
  watch: boolean;
}

export type Answer = { ok: true; watching: Record<string, Watching> } | { ok: false; fault: SerializedError };

/** An error as it travels between threads. */
export interface SerializedError {
  refusal?: { code: number; fields?: Record<string, string> | undefined; status?: number | undefined };
  message: string;
  stack?: string | undefined;
  errcode?: number | undefined;
}

/** Sent by the thread. */
export type Result =
  | { id: number; kind: "asks"; question: WatchQuestion }
  | { id: number; kind: "answer"; json: Uint8Array; presence: readonly string[] }
  | { id: number; kind: "fault"; fault: SerializedError };

/** What the thread is started with. */
export interface Start {
  file: string;
  secret: string;
  /** One number: 1 when an answer lies in the port. */
  flag: SharedArrayBuffer;
}
