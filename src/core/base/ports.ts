/** The outside world as interfaces: requests, sockets, time, chance, log and disk. */

import type { PortFailure } from "../../model/transport.ts";

export { PortFailure } from "../../model/transport.ts";

export interface HttpRequest {
  method: string;
  /** Absolute, query included. Never logged raw: it carries the key. */
  url: string;
  headers: Record<string, string>;
  /** JSON text, or an upload whose length is known. */
  body?: string | { length: number; open(): AsyncIterable<Uint8Array> };
  /** Milliseconds for the whole call; 0 = none. */
  timeout: number;
  signal?: AbortSignal;
  /** Bytes of an answer body that are read at most. */
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

/** A file that is to be uploaded. */
export interface UploadSource {
  /** Base name. */
  name: string;
  /** Bytes. */
  size: number;
  /** By extension; undefined when unknown. */
  mimeType: string | undefined;
  /** Exactly `size` bytes, or the iteration throws because the file changed meanwhile. */
  open(): AsyncIterable<Uint8Array>;
  /** Pixels of a picture whose head can be read. */
  dimensions(): Promise<{ width: number; height: number } | undefined>;
}

export interface SocketHandlers {
  message(text: string): void;
  /** Once, after which nothing else is called; 1006 when the link broke. */
  close(code: number, reason: string): void;
  /** The upgrade was refused with an HTTP answer; `close` follows. */
  refused?(status: number, body: string): void;
  /** No connection came about, and this is why; `close` follows. */
  failed?(failure: PortFailure): void;
}

export interface Socket {
  send(text: string): void;
  close(code: number, reason?: string): void;
  /** Drops the link without a close frame. */
  terminate(): void;
}

export type SocketPort = (url: string, handlers: SocketHandlers) => Socket;

export interface Timer {
  readonly id: unknown;
}

export interface Clock {
  /** Wall clock, milliseconds since the epoch: for showing and expiry, never for liveness. */
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
