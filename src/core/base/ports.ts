/** Interfaces to the outside world: requests, sockets, time, random numbers and the log. */

import type { PortFailure } from "../../model/transport.ts";

export { PortFailure } from "../../model/transport.ts";

export interface HttpRequest {
  method: string;
  /** Absolute, with the query. Never log it: it contains the API key. */
  url: string;
  headers: Record<string, string>;
  /** JSON, or an upload of known length. */
  body?: string | { length: number; open(): AsyncIterable<Uint8Array> };
  /** Milliseconds until the answer begins, and between its pieces; 0 = none. */
  timeout: number;
  signal?: AbortSignal;
  /** Longest answer body, bytes. */
  maxBytes: number;
  onProgress?(sentBytes: number, totalBytes: number): void;
}

export interface HttpReply {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  text: string;
}

/** Rejects with a `PortFailure` when no HTTP answer came; any status is an answer. */
export type RequestPort = (request: HttpRequest) => Promise<HttpReply>;

/** A file to upload. */
export interface UploadSource {
  /** Base name. */
  name: string;
  /** Bytes. */
  size: number;
  /** By extension; undefined when unknown. */
  mimeType: string | undefined;
  /** Yields exactly `size` bytes, or throws because the file changed meanwhile. */
  open(): AsyncIterable<Uint8Array>;
  /** Size of a picture in pixels; undefined when it cannot be read. */
  dimensions(): Promise<{ width: number; height: number } | undefined>;
}

export interface SocketHandlers {
  message(text: string): void;
  /** Called once and last; 1006 when the connection broke. */
  close(code: number, reason: string): void;
  /** The upgrade was refused with an HTTP answer; `close` follows. */
  refused?(status: number, body: string): void;
  /** Connecting failed; `close` follows. */
  failed?(failure: PortFailure): void;
}

export interface Socket {
  send(text: string): void;
  close(code: number, reason?: string): void;
  /** Drops the connection without a close frame. */
  terminate(): void;
}

export type SocketPort = (url: string, handlers: SocketHandlers) => Socket;

export interface Timer {
  readonly id: unknown;
}

export interface Clock {
  /** Wall clock, milliseconds since the epoch: for display and expiry, never for liveness. */
  now(): number;
  /** Milliseconds that never go back. */
  monotonic(): number;
  setTimeout(run: () => void, ms: number): Timer;
  clearTimeout(timer: Timer | undefined): void;
}

export interface Random {
  /** 0 ≤ r < 1 */
  float(): number;
  /** UUID v4. */
  uuid(): string;
}

export interface Log {
  debug(text: string, fields?: Record<string, unknown>): void;
  info(text: string, fields?: Record<string, unknown>): void;
  warn(text: string, fields?: Record<string, unknown>): void;
  error(text: string, fields?: Record<string, unknown>): void;
}
