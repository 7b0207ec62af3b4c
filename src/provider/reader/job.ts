/** The messages between the main thread and the reading threads. */
import type { RouteCall, Caller } from "../base/handler.ts";

export interface Job {
  id: number;
  call: Pick<RouteCall, "name" | "op" | "path" | "query" | "body" | "connectionId" | "requestId"> & {
    caller: Caller;
  };
  /** Provider time, whole microseconds. */
  now: number;
  online: readonly string[];
  /** Whether the connection of the call is open and belongs to the caller. */
  open: boolean;
  base: string;
  /** Milliseconds the call has taken so far. */
  elapsed: number;
}

export interface WatcherInfo {
  userIds: string[];
  count: number;
}

/** A question to the main thread, which has the connections; the reading thread blocks until it is answered. */
export interface WatchQuestion {
  job: number;
  cids: readonly string[];
  /** Whether the connection of the call starts watching the channels. */
  watch: boolean;
}

export type WatchAnswer =
  | { ok: true; watchers: Record<string, WatcherInfo> }
  | { ok: false; fault: SerializedError };

export interface SerializedError {
  refusal?: { code: number; fields?: Record<string, string> | undefined; status?: number | undefined };
  message: string;
  stack?: string | undefined;
  errcode?: number | undefined;
}

export type ThreadMessage =
  /** The code of the thread is loaded. */
  | { kind: "ready" }
  | { id: number; kind: "question"; question: WatchQuestion }
  | { id: number; kind: "answer"; json: Uint8Array; presence: readonly string[] }
  | { id: number; kind: "fault"; fault: SerializedError };

export interface ThreadOptions {
  file: string;
  secret: string;
  /** One number: 1 when an answer was posted. */
  flag: SharedArrayBuffer;
}
