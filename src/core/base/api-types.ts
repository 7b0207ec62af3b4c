/** Plain types of core's inputs and results: calls, outgoing messages, uploads. */
import type { ReceivedMessage } from "../../model/client-message.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { BodyOf, EndpointName, PathOf, QueryOf, ReplyOf } from "../../wire/endpoints/index.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";
import type { SendOptions } from "../../wire/entities/message.ts";
import type { ClientMessage } from "../../model/state.ts";

/** A token, or a function called again when the token expires or is refused (code 40); its argument is the provider's time, milliseconds. */
export type TokenSource = string | ((now: number) => string | Promise<string>);

export interface CallArgs<K extends EndpointName> {
  path?: PathOf<K>;
  query?: QueryOf<K>;
  body?: BodyOf<K>;
  signal?: AbortSignal;
  /** Milliseconds; default REQUEST_TIMEOUT, 0 = none. */
  timeout?: number;
  /** Retries of a safe call on network errors, timeouts and 5xx; default 0. */
  retries?: number;
  /** Not for a time-out or a 504: whoever calls asks for less then. */
  shrinks?: true;
  /** How long a call that is refused for its rate (429) waits in all to be repeated, milliseconds; default 0. */
  patience?: number;
  /** Called before each such wait. */
  onPatience?(ms: number): void;
  /** Idempotency key of a write that may be sent again: a provider that supports it does it once. */
  key?: string;
  /** Ask what the provider would answer, and do nothing: only where `Core.answersDryRuns` (specification/command-line.md §5). */
  dry?: true;
  /** Use the server token although a user is set (specification/auth.md §10); needs the secret. */
  server?: true;
}

export type ApiCall = <K extends EndpointName>(name: K, args?: CallArgs<K>) => Promise<ReplyOf<K>>;

/** Defaults for every call of a core; a call's own arguments override them. */
export type CallDefaults = Pick<
  CallArgs<EndpointName>,
  "timeout" | "retries" | "signal" | "patience" | "onPatience"
>;

/** A finished call, with its reply or its error. */
export interface CallReport {
  name: EndpointName;
  args: CallArgs<EndpointName>;
  /** Milliseconds it took, including retries and `beforeWrite`. */
  ms: number;
  reply?: unknown;
  error?: unknown;
}

/** Inspects a change before it is sent, queued or begun; a throw prevents it. */
export type WriteStep = (name: EndpointName, args: CallArgs<EndpointName>) => Promise<void> | undefined;

/** Hooks that a program sets around the calls of core. */
export interface Steps {
  /**
   * Before each change (an endpoint not marked `safe`), whichever part of core makes it. For outbox rows and uploads it
   * runs before anything is stored or read, and once more with the call itself.
   */
  beforeWrite?: WriteStep;
  /** After each call of a feature; not for calls of the connection, the outbox and receipts. */
  called?(report: CallReport): void;
  /** Replaces the outcome that the sender of a message gets. */
  settle?(id: string, outcome: Promise<SendOutcome>): Promise<SendOutcome>;
}

/** A change in the outbox that is not sent yet. */
export interface UnsentRow {
  /** Message id. */
  id: string;
  cid: string;
  kind: "send" | "edit" | "delete" | "react" | "unreact";
  text?: string;
  shared_location?: SharedLocation;
  /** When a scheduled message will be sent. */
  send_at?: string;
  /** `unknown`: sent, but no answer came; `failed`: refused, waits for the user. */
  state: "queued" | "sending" | "unknown" | "failed" | "parked";
  tries: number;
  created_at: string;
  /** Why it was not delivered, if known. */
  reason?: string;
  /** Of a command that was killed while it sent this: only a retry sends it. */
  killed?: true;
  /** Another running process owns it. */
  busy: boolean;
}

export interface OutgoingMessage {
  text: string;
  id?: string;
  attachments?: Attachment[];
  /** Files of the composer: none may still be uploading (R-SEND-1); finished ones are attached, others are dropped (R-ATT-7). */
  uploads?: readonly Upload[];
  mentionedUsers?: string[];
  quotedMessageId?: string;
  showInChannel?: boolean;
  silent?: boolean;
  /** Who sees it, by user id; none: everybody (R-SEND-16). */
  audience?: readonly string[];
  custom?: Record<string, unknown>;
  options?: SendOptions;
  /** When to send it, wall clock in ms: by any process of the profile that runs then, else by the next one. */
  at?: number;
  /** Milliseconds in which it can be undone: it shows at once and is sent afterwards, or when the program ends. */
  afterMs?: number;
}

/** Why a withdrawn message had been waiting. */
export interface Parked {
  /** The provider's message. */
  reason: string;
  /** Milliseconds left to wait, if known. */
  left?: number;
}

export type SendOutcome =
  /** `found`: no answer told so, but a lookup by id. */
  | { state: "received"; message: ReceivedMessage; found?: true }
  /** Refused by the provider, by moderation or by a command; the row stays for the user to drop or retry, unless `gone`. */
  | { state: "failed"; message: ClientMessage; error: Error; gone?: true; parked?: Parked }
  /** Not acknowledged in time: still in the outbox. */
  | { state: "waiting"; message: ClientMessage };

/** A queued message. */
export interface Sent {
  readonly id: string;
  readonly outcome: Promise<SendOutcome>;
}

export interface Upload {
  localId: string;
  name: string;
  state: "pending" | "uploading" | "finished" | "failed" | "blocked";
  /** Nothing of it is read or sent before {@link AttachmentComposer.start}. */
  held?: true;
  reason?: string;
  sent: number;
  total: number;
  attachment: Attachment;
}

export interface RemoveOptions {
  hard?: boolean;
  forMe?: boolean;
  /** Milliseconds in which it can be undone: it shows at once and is sent afterwards, when the program ends, or at the next start. */
  afterMs?: number;
}
