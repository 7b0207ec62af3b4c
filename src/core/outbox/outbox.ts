/** The outbox: stores writes before they show, sends them one at a time per channel, and is the only part that retries them (D1–D5, specification/sending.md §2). */
import type { Message } from "../../wire/entities/message.ts";
import type { MessageInput } from "../../wire/bodies/messages.ts";
import { requireMessageId, requireReaction } from "../base/validate-call.ts";
import type { OutgoingMessage, RemoveOptions, Sent, UnsentRow } from "../base/api-types.ts";
import type { ThreadRef } from "../../model/state.ts";
import { dropUnsent, unsentRows } from "./outbox-rows.ts";
import { RowEchoes } from "./row-echoes.ts";
import { RowSender } from "./row-sender.ts";
import { Enqueuer, type SendBody } from "./enqueue.ts";
import { RowAdoption } from "./adopt-rows.ts";
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
  sendWaiting(): void;
  /** Loads rows of earlier runs from the store: this process's always, those of ended processes with the lease. */
  resume(): void;
  /** Waits for running calls, then clears the timers; rows stay on disk. */
  close(): Promise<void>;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const sender = new RowSender(options, (message, { set, unset }) => {
    const edit = { kind: "edit", set, unset, baseUpdatedAt: message.updated_at } as const;
    enqueuer
      .change(message, edit)
      .catch((error: Error) =>
        options.log.info("a newer edit could not be repeated", { error: error.message }),
      );
  });
  const echoes = new RowEchoes(options, sender);
  const enqueuer = new Enqueuer(options, sender, echoes);
  const adoption = new RowAdoption(options, sender, echoes);

  return {
    send: (place, composition, wait = {}) => enqueuer.send(place, composition, wait),
    preview: (place, composition) => enqueuer.preview(place, composition),
    async edit(message, set, unset = []) {
      requireMessageId(message.id);
      const row = sender.findSend(message.id);
      if (row && sender.rewrite(row, { ...set }, unset)) return;
      await enqueuer.change(message, { kind: "edit", set, unset, baseUpdatedAt: message.updated_at });
    },
    async remove(message, removal = {}) {
      const row = sender.findSend(message.id);
      if (row && sender.withdraw(row.seq)) return sender.remove(row);
      const { hard = false, forMe = false, afterMs = 0 } = removal;
      const later = { state: "parked", notBefore: options.clock.now() + afterMs } as const;
      await enqueuer.change(message, { kind: "delete", hard, forMe }, afterMs > 0 ? later : undefined);
    },
    cancelDelete: (messageId) => sender.cancelDelete(messageId),
    async react(message, type, { score, unique = false } = {}) {
      requireReaction(message.id, type);
      const scored = score !== undefined && { score };
      await enqueuer.change(message, { kind: "react", type, ...scored, unique });
    },
    async unreact(message, type) {
      requireReaction(message.id, type);
      await enqueuer.change(message, { kind: "unreact", type });
    },
    unsent: () => unsentRows(options),
    dropUnsent: (messageId) => dropUnsent(options, messageId),
    unsend: (messageId, refused) => sender.unsend(messageId, refused),
    retry(messageId) {
      adoption.refresh();
      return sender.retry(messageId);
    },
    drop: (messageId, forgotten) => sender.drop(messageId, forgotten),
    sendWaiting() {
      adoption.refresh();
      sender.sendWaiting();
    },
    resume: adoption.check,
    async close() {
      echoes.close();
      adoption.close();
      await sender.close();
    },
  };
}
