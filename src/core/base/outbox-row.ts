/** A row of the outbox: a change stored on disk until it is sent. */
import type { SendOptions } from "../../wire/entities/message.ts";
import type { MessageInput } from "../../wire/bodies/messages.ts";

/** State of a row as the screen shows it (specification/sending.md §2); received rows are deleted. */
type OutboxState = "queued" | "sending" | "unknown" | "parked" | "failed";

export type OutboxAction =
  | {
      kind: "send";
      message: MessageInput & { id: string };
      options: SendOptions;
      /** Scheduled time, wall clock in ms; the message is not shown before. */
      at?: number;
    }
  | ({ kind: "edit"; set: Record<string, unknown>; unset: string[]; baseUpdatedAt?: string } & Keyed)
  | ({ kind: "delete"; hard: boolean; forMe: boolean } & Keyed)
  | ({ kind: "react"; type: string; score?: number; unique: boolean } & Keyed)
  | ({ kind: "unreact"; type: string } & Keyed);

/** Idempotency key, the same for every try; rows of older versions have none. */
interface Keyed {
  key?: string;
}

export interface OutboxRow {
  /** Order of submission, ascending over all channels. */
  seq: number;
  /** A new message gets its id before the first try and keeps it for every retry (D2). */
  messageId: string;
  cid: string;
  action: OutboxAction;
  state: OutboxState;
  tries: number;
  /** Process that owns the row; rows of ended processes go to the lease holder. */
  owner: string;
  createdAt: number;
  /** Of a single command, which sends it itself: after a kill, no other run sends it unless the user asks for it (specification/sending.md §3). */
  once?: boolean;
  /** Wall clock before which it is not retried. */
  notBefore?: number;
  error?: { message: string; code?: number; status?: number };
}
