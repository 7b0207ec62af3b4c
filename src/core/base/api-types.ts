/** What is given to core and comes back from it, as plain types: calls, outgoing messages, uploads. */
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { BodyOf, EndpointName, PathOf, QueryOf } from "../../wire/endpoints/index.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";
import type { Message, SendOptions } from "../../wire/entities/message.ts";
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
  /** Made with the server token although a user is set (specification/auth.md §10); needs the secret. */
  server?: true;
}

/** What every call of a core begins with; what a call names itself comes first. */
export type CallDefaults = Pick<CallArgs<EndpointName>, "timeout" | "retries" | "signal">;

/** A call that has ended: with a reply, or with an error. */
export interface CallReport {
  name: EndpointName;
  args: CallArgs<EndpointName>;
  /** Milliseconds it took, repeats and questions included. */
  ms: number;
  reply?: unknown;
  error?: unknown;
}

/** Looks at what would change something before it is sent, queued or begun; a throw keeps it from happening. */
export type WriteStep = (name: EndpointName, args: CallArgs<EndpointName>) => Promise<void> | undefined;

/** What a program wants done around everything this core does for it. */
export interface Steps {
  /**
   * Before each change, whichever part of core makes it, by the mark of its row. What goes through the outbox and what is
   * uploaded is asked for before anything is kept or read, and once more with the call itself.
   */
  beforeWrite?: WriteStep;
  /** After each call of a feature; not of the connection, the outbox and receipts. */
  called?(report: CallReport): void;
  /** What the sender of a message gets in place of the outcome. */
  settle?(id: string, outcome: Promise<SendOutcome>): Promise<SendOutcome>;
}

/** A change that waits on this machine to be sent. */
export interface UnsentRow {
  /** Of the message. */
  id: string;
  cid: string;
  kind: "send" | "edit" | "delete" | "react" | "unreact";
  text?: string;
  shared_location?: SharedLocation;
  /** When it is to go out, for what waits for that alone. */
  send_at?: string;
  /** `unknown`: it was sent and no answer came; `failed`: it was refused and waits for the user. */
  state: "queued" | "sending" | "unknown" | "failed" | "parked";
  tries: number;
  created_at: string;
  /** Why it has not arrived, as far as that is known. */
  reason?: string;
  /** Another program that runs has it. */
  busy: boolean;
}

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
  /** Wall clock, ms: it goes out then, by whichever program of the profile runs, else with the next one. */
  at?: number;
  /** Milliseconds in which it can be taken back: it shows at once and goes out then, or when the program ends. */
  afterMs?: number;
}

/** Why a message that was taken back had to wait. */
export interface Parked {
  /** The provider's words. */
  reason: string;
  /** Milliseconds that are left of it, where that is known. */
  left?: number;
}

export type SendOutcome =
  | { state: "received"; message: Message }
  /** Refused by the provider, by moderation or by a command; the row stays for the user to drop or retry, unless it is `gone`. */
  | { state: "failed"; message: HeldMessage; error: Error; gone?: true; parked?: Parked }
  /** Not acknowledged within the wait: still in the outbox. */
  | { state: "waiting"; message: HeldMessage };

/** A message that was queued. */
export interface Sent {
  readonly id: string;
  readonly outcome: Promise<SendOutcome>;
}

export interface Upload {
  localId: string;
  name: string;
  state: "pending" | "uploading" | "finished" | "failed" | "blocked";
  reason?: string;
  sent: number;
  total: number;
  attachment: Attachment;
}

export interface RemoveOptions {
  hard?: boolean;
  forMe?: boolean;
  /** Milliseconds in which it can be taken back: it shows at once and goes out then, when the program ends, or with the next start. */
  afterMs?: number;
}
