/** Submits new outbox rows: stores, shows, then sends them (D1), and reports the outcome. */
import { receivedMessage } from "../../model/client-message.ts";
import { makeMessageId } from "../../wire/ids.ts";
import type { Message, SendOptions } from "../../wire/entities/message.ts";
import type { MessageInput } from "../../wire/bodies/messages.ts";
import type { User } from "../../wire/entities/user.ts";
import { longestText } from "../../model/channels.ts";
import { LocalError, withHint } from "../../model/errors.ts";
import type { ClientMessage, ThreadRef } from "../../model/state.ts";
import type { OutgoingMessage, SendOutcome, Sent } from "../base/api-types.ts";
import { partsOf } from "../base/validate-call.ts";
import { StoreFailure } from "../store/store.ts";
import type { OutboxAction, OutboxRow } from "../base/outbox-row.ts";
import { compose, WAIT_FOR_UPLOADS } from "./compose.ts";
import type { OutboxOptions, SendWait } from "./options.ts";
import type { RowEchoes } from "./row-echoes.ts";
import { isScheduled } from "./send-queue.ts";
import type { RowSender } from "./row-sender.ts";

/** The body of a send; the id may be missing. */
export type SendBody = { message: MessageInput } & SendOptions;

/** Used for checks when no id was chosen. */
const PLACEHOLDER_ID = "none";

const LOCATIONS_OFF = "Sharing locations is switched off here";
const LOCATIONS_HINT = "parley config set locations true";

export class Enqueuer {
  readonly #options: OutboxOptions;
  readonly #sender: RowSender;
  readonly #echoes: RowEchoes;

  constructor(options: OutboxOptions, sender: RowSender, echoes: RowEchoes) {
    this.#options = options;
    this.#sender = sender;
    this.#echoes = echoes;
  }

  send(place: ThreadRef, composition: OutgoingMessage, wait: SendWait): Sent {
    const user = this.#echoes.author();
    const id = composition.id ?? makeMessageId(user.id, this.#options.random.uuid());
    const action = this.#compose(id, place, composition);
    const when = this.#initialState(composition);
    const once = wait.withdraw === true && { once: true };
    const row = this.#enqueue(
      id,
      place.cid,
      action,
      { ...when, ...once },
      wait.keepDraft ? undefined : place,
    );
    const outcome = this.#outcome(row, user, wait);
    this.#sender.release(place.cid);
    return { id, outcome };
  }

  #initialState({ at, afterMs = 0 }: OutgoingMessage): Pick<OutboxRow, "state" | "notBefore"> {
    if (at !== undefined) return { state: "parked", notBefore: at };
    if (afterMs <= 0) return { state: "queued" };
    return { state: "parked", notBefore: this.#options.clock.now() + afterMs };
  }

  /** The body of such a send, without an id unless one was chosen; stores nothing. */
  preview(place: ThreadRef, composition: OutgoingMessage): SendBody {
    this.#echoes.author();
    const { message, options } = this.#compose(composition.id ?? PLACEHOLDER_ID, place, composition);
    const { id, ...rest } = message;
    return { message: composition.id === undefined ? rest : { ...rest, id }, ...options };
  }

  /** Resolves when the provider has accepted the change; rejects with its refusal. */
  change(
    message: Message,
    action: Exclude<OutboxAction, { kind: "send" }>,
    when: Pick<OutboxRow, "state" | "notBefore"> = { state: "queued" },
  ): Promise<void> {
    const key = this.#options.random.uuid();
    const row = this.#enqueue(message.id, message.cid, { ...action, key }, when);
    return new Promise((resolve, reject) => {
      this.#sender.add(row, {
        settled: () => resolve(),
        failed: (error) => reject(error),
        // The program is closing; the row stays on disk.
        waiting: () => resolve(),
      });
    });
  }

  /** Checks R-SEND-1…3. */
  #compose(id: string, place: ThreadRef, composition: OutgoingMessage): OutboxAction & { kind: "send" } {
    const { machine, maximum, locations = true } = this.#options;
    partsOf(place.cid);
    if (composition.custom?.shared_location && !locations)
      throw withHint(new LocalError(LOCATIONS_OFF), LOCATIONS_HINT);
    this.#requireFinishedUploads(composition);
    const config = machine.state().channels.get(place.cid)?.channel.config;
    return compose(id, place, composition, longestText(config, maximum));
  }

  #enqueue(
    messageId: string,
    cid: string,
    action: OutboxAction,
    when: Pick<OutboxRow, "state" | "notBefore" | "once">,
    clearDraft?: ThreadRef,
  ): OutboxRow {
    const { store, machine, clock, owner } = this.#options;
    this.#echoes.author();
    try {
      const waiting = { messageId, cid, action, tries: 0, owner, createdAt: clock.now(), ...when };
      // A row that is sent at once is stored as `sending`, which saves a second disk write.
      const sendsNow = when.state === "queued" && this.#sender.sendsAtOnce(cid);
      const stored = store.enqueue(
        sendsNow ? { ...waiting, state: "sending", tries: 1 } : waiting,
        clearDraft,
      );
      const row: OutboxRow = { ...waiting, seq: stored.seq };
      // The disk works again.
      if (machine.state().storage !== undefined) machine.apply({ kind: "storage", storage: undefined });
      if (!isScheduled(row)) this.#echoes.show(row, true);
      return row;
    } catch (error) {
      if (error instanceof StoreFailure) machine.apply({ kind: "storage", storage: error.message });
      throw error;
    }
  }

  #outcome(row: OutboxRow, user: User, wait: SendWait): Promise<SendOutcome> {
    const { clock } = this.#options;
    const sender = this.#sender;
    const messageOf = (each: OutboxRow) => this.#echoes.messageOf(each, user);
    return new Promise((resolve) => {
      const onTimeout = (): void => {
        const withdrawn = wait.withdraw ? sender.withdraw(row.seq) : undefined;
        resolve(
          withdrawn
            ? withdrawnOutcome(messageOf(withdrawn), withdrawn, clock.now())
            : { state: "waiting", message: messageOf(row) },
        );
        if (withdrawn) sender.remove(withdrawn);
      };
      const timer = wait.waitMs === undefined ? undefined : clock.setTimeout(onTimeout, wait.waitMs);
      const finish = (outcome: SendOutcome): void => {
        clock.clearTimeout(timer);
        resolve(outcome);
      };
      sender.add(row, {
        // R-SEND-6
        settled: (message, found) =>
          finish({
            state: "received",
            message: receivedMessage(message ?? messageOf(row)),
            ...(found && { found: true }),
          }),
        failed: (error, failed) => {
          finish({
            state: "failed",
            message: messageOf(failed),
            error,
            ...(wait.withdraw && { gone: true }),
          });
          if (wait.withdraw) sender.remove(failed);
        },
        waiting: () => finish({ state: "waiting", message: messageOf(row) }),
        cannotSignIn: wait.withdraw === true,
      });
    });
  }

  #requireFinishedUploads({ uploads }: OutgoingMessage): void {
    if (!uploads?.some(({ state }) => state === "pending" || state === "uploading")) return;
    this.#options.machine.apply({
      kind: "notice",
      notice: { level: "warning", text: WAIT_FOR_UPLOADS, origin: "composer" },
    });
    // The notice was shown: the screen shows no second one.
    throw Object.assign(new LocalError(WAIT_FOR_UPLOADS), { noticed: true });
  }
}

const withdrawnOutcome = (
  message: ClientMessage,
  { state, error, notBefore }: OutboxRow,
  now: number,
): SendOutcome => ({
  state: "failed",
  message: { ...message, status: "failed" },
  error: new LocalError("The message was not sent and has been taken back"),
  gone: true,
  ...(state === "parked" &&
    error && {
      parked: { reason: error.message, ...(notBefore !== undefined && { left: notBefore - now }) },
    }),
});
