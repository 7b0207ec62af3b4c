/** The outbox: stores writes before they show, sends them one at a time per channel, and is the only part that retries them (D1–D5, specification/sending.md §2). */
import type { Message, MessageInput } from "../../wire/entities/message.ts";
import { requireMessageId, requireReaction } from "../base/validate-call.ts";
import type { OutgoingMessage, RemoveOptions, Sent, UnsentRow } from "../base/api-types.ts";
import type { ThreadRef } from "../../model/state.ts";
import { dropUnsent, unsentRows } from "./stored-rows.ts";
import { RowEchoes } from "./row-echoes.ts";
import { RowSender } from "./row-sender.ts";
import { Submission, type SendBody } from "./submission.ts";
import { TakeOver } from "./take-over.ts";
import type { OutboxOptions, SendWait } from "./options.ts";

export interface UnsentMessages {
  /** Unsent rows on disk, oldest first, including those of the profile's other processes (specification/sending.md §2). */
  unsent(): UnsentRow[];
  /** Deletes such a row; false when another running process owns it, undefined when there is none. */
  dropUnsent(messageId: string): boolean | undefined;
  /** Withdraws a message of this process that was never sent, or is known to be `refused`, and returns it; undefined when it is too late. */
  unsend(messageId: string, refused?: boolean): MessageInput | undefined;
  /** Tries failed or parked rows of a message again with the same id (R-SEND-8), also of commands that were killed; false when this process has none. */
  retry(messageId: string): boolean;
  /** Drops the rows of a message (R-SEND-10); one that is being sent only with `forgotten`. */
  drop(messageId: string, forgotten?: boolean): void;
}

/** Changes of existing messages. They resolve when the provider has accepted, and reject with its refusal. */
export interface MessageChanges {
  edit(message: Message, set: Record<string, unknown>, unset?: string[]): Promise<void>;
  remove(message: Message, options?: RemoveOptions): Promise<void>;
  react(message: Message, type: string, options?: { score?: number; unique?: boolean }): Promise<void>;
  unreact(message: Message, type: string): Promise<void>;
}

export interface Outbox extends UnsentMessages, MessageChanges {
  /** Stores, shows, then sends a message (D1). Throws `StoreFailure` when it cannot be stored, and `LocalError` for an empty (R-SEND-3) or too long text (R-SEND-2); then nothing changes. */
  send(place: ThreadRef, composition: OutgoingMessage, wait?: SendWait): Sent;
  /** The body of such a send, without an id unless one was chosen. Stores nothing; throws the same `LocalError`s. */
  preview(place: ThreadRef, composition: OutgoingMessage): SendBody;
  /** Cancels a delete that still waits for its `afterMs`; false when it is too late. */
  cancelDelete(messageId: string): boolean;
  /** Sends waiting rows; call after the connection opened, a token was renewed or the machine woke. */
  drain(): void;
  /** Loads rows of earlier runs from the store: this process's always, those of ended processes with the lease. */
  resume(): void;
  /** Waits for running calls, then clears the timers; rows stay on disk. */
  close(): Promise<void>;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const sender = new RowSender(options, (message, { set, unset }) => {
    const edit = { kind: "edit", set, unset, baseUpdatedAt: message.updated_at } as const;
    submission
      .change(message, edit)
      .catch((error: Error) =>
        options.log.info("a newer edit could not be repeated", { error: error.message }),
      );
  });
  const echoes = new RowEchoes(options, sender);
  const submission = new Submission(options, sender, echoes);
  const takeOver = new TakeOver(options, sender, echoes);

  return {
    send: (place, composition, wait = {}) => submission.send(place, composition, wait),
    preview: (place, composition) => submission.preview(place, composition),
    async edit(message, set, unset = []) {
      requireMessageId(message.id);
      const row = sender.findSend(message.id);
      if (row && sender.rewrite(row, { ...set }, unset)) return;
      await submission.change(message, { kind: "edit", set, unset, baseUpdatedAt: message.updated_at });
    },
    async remove(message, removal = {}) {
      const row = sender.findSend(message.id);
      if (row && sender.withdraw(row.seq)) return sender.remove(row);
      const { hard = false, forMe = false, afterMs = 0 } = removal;
      const later = { state: "parked", notBefore: options.clock.now() + afterMs } as const;
      await submission.change(message, { kind: "delete", hard, forMe }, afterMs > 0 ? later : undefined);
    },
    cancelDelete: (messageId) => sender.cancelDelete(messageId),
    async react(message, type, { score, unique = false } = {}) {
      requireReaction(message.id, type);
      const scored = score !== undefined && { score };
      await submission.change(message, { kind: "react", type, ...scored, unique });
    },
    async unreact(message, type) {
      requireReaction(message.id, type);
      await submission.change(message, { kind: "unreact", type });
    },
    unsent: () => unsentRows(options),
    dropUnsent: (messageId) => dropUnsent(options, messageId),
    unsend: (messageId, refused) => sender.unsend(messageId, refused),
    retry(messageId) {
      takeOver.refresh();
      return sender.retry(messageId);
    },
    drop: (messageId, forgotten) => sender.drop(messageId, forgotten),
    drain() {
      takeOver.refresh();
      sender.drain();
    },
    resume: takeOver.check,
    async close() {
      echoes.close();
      takeOver.close();
      await sender.close();
    },
  };
}
