/** The outbox: writes are stored before they show, sent one at a time a channel, and repeated only here (D1–D5, specification/sending.md §2). */
import type { Message, MessageInput } from "../../wire/entities/message.ts";
import { requireMessageId, requireReaction } from "../base/validate-call.ts";
import type { OutgoingMessage, RemoveOptions, Sent, UnsentRow } from "../base/api-types.ts";
import type { ThreadRef } from "../../model/state.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import { dropUnsent, unsentRows } from "./stored-rows.ts";
import { RowEchoes } from "./row-echoes.ts";
import { RowSender } from "./row-sender.ts";
import { Submission, type SendBody } from "./submission.ts";
import { TakeOver } from "./take-over.ts";
import type { OutboxOptions, SendWait } from "./options.ts";

/** What waits to be sent, and what may be done about it. */
export interface UnsentMessages {
  /** What waits on disk to be sent, oldest first, that of other programs of the profile, too (specification/sending.md §2). */
  unsent(): UnsentRow[];
  /** Forgets such a row without sending anything; false when another program that runs has it, undefined when there is none. */
  dropUnsent(messageId: string): boolean | undefined;
  /** Takes back a message of this program that never went out, delayed or waiting for its time, or that is known to be `refused`: what it was; undefined when it is too late. */
  unsend(messageId: string, refused?: boolean): MessageInput | undefined;
  /** A failed or parked row is tried again with the same id (R-SEND-8). */
  retry(messageId: string): void;
  /** Forgets what was to be done about it (R-SEND-10); what is on the wire only where it is to be `forgotten` as well. */
  drop(messageId: string, forgotten?: boolean): void;
}

/** Changes of messages that are there. They resolve when the provider has accepted, and reject with its refusal. */
export interface MessageChanges {
  edit(message: Message, set: Record<string, unknown>, unset?: string[]): Promise<void>;
  remove(message: Message, how?: RemoveOptions): Promise<void>;
  react(message: Message, type: string, options?: { score?: number; unique?: boolean }): Promise<void>;
  unreact(message: Message, type: string): Promise<void>;
}

export interface Outbox extends UnsentMessages, MessageChanges {
  /** Durable, then visible, then sent (D1). Throws `StoreFailure` and changes nothing when the disk refuses; throws `LocalError` for an empty text (R-SEND-3) or one that is too long (R-SEND-2). */
  send(place: ThreadRef, composition: OutgoingMessage, wait?: SendWait): Sent;
  /** The body of such a send; an id that was not chosen is left out. Throws the same `LocalError`s and keeps nothing. */
  preview(place: ThreadRef, composition: OutgoingMessage): SendBody;
  /** Takes back a delete that still waits its `afterMs`; false when it is too late. */
  keep(messageId: string): boolean;
  /** Starts what may start; call after the link opened, a token was renewed or the machine woke. */
  drain(): void;
  /** Takes rows of an earlier run from the store into the state: own ones always, those of dead owners with the lease. */
  resume(): void;
  /** Waits until no call is on the wire, then ends the timers; rows stay. */
  close(): Promise<void>;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const sender = new RowSender(options, (message, { set, unset }) => {
    const edit = { kind: "edit", set, unset, baseUpdatedAt: message.updated_at } as const;
    submission
      .change(message, edit)
      .catch((error: Error) =>
        options.log.info("a newer edit could not be made again", { error: error.message }),
      );
  });
  const echoes = new RowEchoes(options, sender);
  const submission = new Submission(options, sender, echoes);
  const takeOver = new TakeOver(options, sender, echoes);

  /** The row of a message of ours that has not reached the provider, when it may still be changed. */
  const unsent = (messageId: string): OutboxRow | undefined =>
    sender.find((row) => row.messageId === messageId && row.action.kind === "send");

  return {
    send: (place, composition, wait = {}) => submission.send(place, composition, wait),
    preview: (place, composition) => submission.preview(place, composition),
    async edit(message, set, unset = []) {
      requireMessageId(message.id);
      const row = unsent(message.id);
      if (row && sender.rewrite(row, { ...set }, unset)) return;
      await submission.change(message, { kind: "edit", set, unset, baseUpdatedAt: message.updated_at });
    },
    async remove(message, how = {}) {
      const row = unsent(message.id);
      if (row && sender.withdraw(row.seq)) return sender.forget(row);
      const { hard = false, forMe = false, afterMs = 0 } = how;
      const later = { state: "parked", notBefore: options.clock.now() + afterMs } as const;
      await submission.change(message, { kind: "delete", hard, forMe }, afterMs > 0 ? later : undefined);
    },
    keep: (messageId) => sender.keep(messageId),
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
    retry: (messageId) => sender.retry(messageId),
    drop: (messageId, forgotten) => sender.drop(messageId, forgotten),
    drain() {
      if (takeOver.isRunning) takeOver.look();
      sender.drain();
    },
    resume: takeOver.look,
    async close() {
      echoes.close();
      takeOver.close();
      await sender.close();
    },
  };
}
