/** What is given to core and comes back from it, as plain types: calls, outgoing messages, uploads. */
import type { Attachment } from "../../wire/attachment.ts";
import type { BodyOf, EndpointName, PathOf, QueryOf } from "../../wire/endpoints/index.ts";
import type { Message, SendOptions } from "../../wire/message.ts";
import type { HeldMessage } from "../../model/state.ts";

/** A text, or a function asked again when the token ends or is refused (code 40); it is told the provider's time, milliseconds. */
export type TokenSource = string | ((now: number) => string | Promise<string>);

export interface CallArgs<K extends EndpointName> {
  path?: PathOf<K>;
  query?: QueryOf<K>;
  body?: BodyOf<K>;
  signal?: AbortSignal;
  /** Milliseconds; default REQUEST_TIMEOUT, 0 = none. */
  timeout?: number;
  /** Repeats of a safe call on network errors, timeouts and 5xx; default 0. */
  retries?: number;
  /** Names a write that may be sent again: a provider that remembers does it once. */
  key?: string;
  /** Made with the server token although a user is set (auth.md §10); needs the secret. */
  server?: true;
}

/** Looks at a call that changes something before it is sent. */
export type WriteStep = (name: EndpointName, args: CallArgs<EndpointName>) => Promise<void> | undefined;

export interface OutgoingMessage {
  text: string;
  id?: string;
  attachments?: Attachment[];
  /** Files of the composer: none may be on its way (R-SEND-1); finished ones are attached, the others are not (R-ATT-7). */
  uploads?: readonly Upload[];
  mentionedUsers?: string[];
  quotedMessageId?: string;
  showInChannel?: boolean;
  silent?: boolean;
  custom?: Record<string, unknown>;
  options?: SendOptions;
}

export type SendOutcome =
  | { state: "received"; message: Message }
  /** Refused by the provider, by moderation or by a command; the row stays for the user to drop or retry. */
  | { state: "failed"; message: HeldMessage; error: Error }
  /** Not acknowledged within the wait: still in the outbox. */
  | { state: "waiting"; message: HeldMessage };

export interface Upload {
  localId: string;
  name: string;
  state: "pending" | "uploading" | "finished" | "failed" | "blocked";
  reason?: string;
  sent: number;
  total: number;
  attachment: Attachment;
}
