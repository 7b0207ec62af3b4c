/** A row of the outbox: a change that waits on disk to be sent. */
import type { MessageInput, SendOptions } from "../../wire/entities/message.ts";

/** What a screen shows of a row (specification/sending.md §2); `received` rows are gone. */
type OutboxState = "queued" | "sending" | "unknown" | "parked" | "failed";

export type OutboxAction =
  /** Its message id names it. */
  | {
      kind: "send";
      message: MessageInput & { id: string };
      options: SendOptions;
      /** Wall clock, ms: it was asked to go out then, and shows nowhere before. */
      at?: number;
    }
  | ({ kind: "edit"; set: Record<string, unknown>; unset: string[]; baseUpdatedAt?: string } & Keyed)
  | ({ kind: "delete"; hard: boolean; forMe: boolean } & Keyed)
  | ({ kind: "react"; type: string; score?: number; unique: boolean } & Keyed)
  | ({ kind: "unreact"; type: string } & Keyed);

/** The same for every try, so that a provider that remembers does it once; rows of older versions have none. */
interface Keyed {
  key?: string;
}

export interface OutboxRow {
  /** Order of submission, ascending over all channels. */
  seq: number;
  /** The message's id; with `action.kind` send it was chosen before the first try and is reused for every retry (D2). */
  messageId: string;
  cid: string;
  action: OutboxAction;
  state: OutboxState;
  tries: number;
  /** Process that owns the row; rows of dead owners belong to the lease holder. */
  owner: string;
  createdAt: number;
  /** Wall clock before which it is not tried again. */
  notBefore?: number;
  error?: { message: string; code?: number; status?: number };
}
