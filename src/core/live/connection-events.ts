/** Callbacks of the connection to its owner. */
import type { AnyEvent } from "../../wire/events.ts";
import type { Link } from "../../model/state.ts";
import type { Hello } from "./connection-attempt.ts";
import type { Transport } from "./transitions.ts";

export interface ConnectionEvents {
  link(link: { [K in keyof Link]?: Link[K] | undefined }): void;
  /** The first frame, before the link state changes (specification/realtime.md §7.1). */
  hello(hello: Hello): void;
  /** After every opening; `hello.me` is absent when a long-poll session was resumed. */
  opened(hello: Hello): void;
  /** The connection opened or is no longer open. */
  onlineChanged(online: boolean): void;
  transport(mode: Transport): void;
  events(batch: AnyEvent[]): void;
  healthCheck(createdAt: string | undefined): void;
  /** An attempt failed in a way the caller of connectUser must know; retries go on. */
  failed(error: Error): void;
  /** Retrying has stopped until `connect` or `retryNow`. */
  stopped(error: Error): void;
}
