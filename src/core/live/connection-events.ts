/** What the connection tells whoever opened it. */
import type { AnyEvent } from "../../wire/events.ts";
import type { Link } from "../../model/state.ts";
import type { Hello } from "./connection-attempt.ts";
import type { Transport } from "./transitions.ts";

export interface ConnectionEvents {
  link(link: { [K in keyof Link]?: Link[K] | undefined }): void;
  /** The first frame, before anything is said about the link (specification/realtime.md §7.1). */
  hello(hello: Hello): void;
  /** After every opening; `hello.me` is absent when a long-poll session was resumed. */
  opened(hello: Hello): void;
  /** Once per change of whether the link is open. */
  changed(online: boolean): void;
  transport(mode: Transport): void;
  events(batch: AnyEvent[]): void;
  healthCheck(createdAt: string | undefined): void;
  /** An attempt came to nothing in a way that its user should hear of; more are made. */
  failed(error: Error): void;
  /** The end: nothing more is tried until `connect` or `nudge`. */
  stopped(error: Error): void;
}
