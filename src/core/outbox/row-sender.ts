/** Sends outbox rows in turn when they are due, and applies the user's decisions on them (D2–D5, D14). */
import type { Message } from "../../wire/entities/message.ts";
import type { MessageInput } from "../../wire/bodies/messages.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { User } from "../../wire/entities/user.ts";
import type { Timer } from "../base/ports.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import { EditsOfPending, type RepeatEdit } from "./edits-of-pending.ts";
import type { OutboxOptions } from "./options.ts";
import { MAX_RETRY_WAIT, RetryClock } from "./retry-clock.ts";
import { RowRunner } from "./row-runner.ts";
import { isUndoableSend, isUndoableDelete, isScheduled, SendQueue } from "./send-queue.ts";
import { ResultHandler, type RowWatcher } from "./result-handler.ts";

/** How often a row that waits for the connection is checked again, milliseconds. */
const OFFLINE_CHECK = MAX_RETRY_WAIT / 6;

const SENDING_SCHEDULED = "A message that was written for later goes out now";

export class RowSender {
  readonly #options: OutboxOptions;
  readonly #queue = new SendQueue();
  readonly #retry: RetryClock;
  readonly #resultHandler: ResultHandler;
  readonly #editsOfPending: EditsOfPending;
  readonly #runner: RowRunner;
  readonly #unsubscribes: (() => void)[];
  readonly #calls = new Set<Promise<void>>();
  #timer: Timer | undefined;
  /** Set while closing: the only rows that may still be sent. */
  #finalRows: ReadonlySet<OutboxRow> | undefined;

  constructor(options: OutboxOptions, again: RepeatEdit) {
    const { machine, clock } = options;
    const queue = this.#queue;
    const editsOfPending = new EditsOfPending(machine, clock, again);
    const retry = new RetryClock(options);
    const resultHandler = new ResultHandler(options, queue, retry);
    this.#options = options;
    this.#editsOfPending = editsOfPending;
    this.#retry = retry;
    this.#resultHandler = resultHandler;
    this.#runner = new RowRunner({ options, queue, retry, resultHandler, editsOfPending });
    this.#unsubscribes = ["message.new", "notification.message_new"].map((type) =>
      machine.on(type, (event) => this.#onMessage(event)),
    );
  }

  add(row: OutboxRow, watcher?: RowWatcher): void {
    if (!this.#queue.add(row)) return;
    this.#retry.set(row);
    if (watcher) this.#resultHandler.watch(row, watcher);
    this.#resultHandler.publishCount();
    if (isUndoableSend(row)) this.#resultHandler.mark(row, { for: "undo", until: row.notBefore! });
    else if (row.state !== "failed" && !isScheduled(row))
      this.#resultHandler.mark(row, { for: row.state === "unknown" ? "answer" : "turn" });
    queueMicrotask(this.#sendDue);
  }

  /** Whether a row added to this channel now would be sent at once: nothing is before it, and the network is there. */
  sendsAtOnce(cid: string): boolean {
    return !this.#finalRows && !this.#queue.isFull && this.#queue.isEmpty(cid) && this.#isOnline();
  }

  rows(): OutboxRow[] {
    return this.#queue.rows();
  }

  find(test: (row: OutboxRow) => boolean): OutboxRow | undefined {
    return this.#queue.find(test);
  }

  /** The row of a message that may not have reached the provider yet. */
  findSend(messageId: string): OutboxRow | undefined {
    return this.find((row) => row.messageId === messageId && row.action.kind === "send");
  }

  /** The user has acted in the channel: rows after a refused one are sent again. */
  release(cid: string): void {
    this.#queue.unblock(cid);
    queueMicrotask(this.#sendDue);
  }

  /** Changes an unsent send in place; false when it may have reached the provider. */
  rewrite(row: OutboxRow, set: Record<string, unknown>, unset: string[]): boolean {
    if (row.action.kind !== "send" || this.#queue.isSending(row)) return false;
    if (row.state !== "failed" && (row.tries > 0 || row.state !== "queued")) return false;
    const message = { ...row.action.message, ...set, id: row.messageId } as typeof row.action.message;
    for (const key of unset) delete (message as unknown as Record<string, unknown>)[key];
    this.#options.machine.apply({ kind: "dropped", row });
    this.#resultHandler.change(row, { action: { ...row.action, message } });
    this.#showAgain(row);
    return true;
  }

  /** Removes a row from its queue if it certainly did not reach the provider; with `force` also when that is unknown. */
  withdraw(seq: number, force = false): OutboxRow | undefined {
    const row = this.#queue.find((each) => each.seq === seq);
    if (!row || this.#queue.isSending(row)) return undefined;
    const certain = row.state === "failed" || row.tries === 0 || row.state === "queued";
    if (!certain && !force) return undefined;
    this.#resultHandler.dequeue(row);
    return row;
  }

  /** Withdraws a message that was never sent, or is known to be `refused`; undefined when it is too late. */
  unsend(messageId: string, refused = false): MessageInput | undefined {
    const row = this.findSend(messageId);
    if (row?.action.kind !== "send") return undefined;
    // A refused row may still count as being sent until its answer has been handled.
    if (!refused && (row.tries > 0 || !this.withdraw(row.seq))) return undefined;
    if (refused) this.withdraw(row.seq);
    const { message } = row.action;
    this.remove(row);
    return message;
  }

  /** Removes a row from disk and state. */
  remove(row: OutboxRow): void {
    this.#resultHandler.remove(row);
    this.release(row.cid);
  }

  /** Cancels a delete that can still be undone; false when there is none. */
  cancelDelete(messageId: string): boolean {
    const row = this.find((each) => each.messageId === messageId && isUndoableDelete(each));
    if (!row) return false;
    const watcher = this.#resultHandler.dequeue(row);
    this.remove(row);
    watcher?.settled(undefined);
    return true;
  }

  retry(messageId: string): boolean {
    const rows = this.rows().filter((each) => each.messageId === messageId);
    for (const row of rows) if (!this.#queue.isSending(row)) this.#retryRow(row);
    this.#sendDue();
    return rows.length > 0;
  }

  /**
   * Removes all rows of a message, newest first, whether or not they arrived. One that is being sent stays, unless
   * `forgotten`: then it may still arrive, but is not sent again.
   */
  drop(messageId: string, forgotten = false): void {
    const rows = this.rows().filter((row) => row.messageId === messageId);
    for (const row of rows.toReversed()) {
      const withdrawn = this.withdraw(row.seq, true) ?? (forgotten ? row : undefined);
      if (withdrawn) this.remove(withdrawn);
    }
  }

  /** Sends everything that waited for the connection or a sign-in. */
  sendWaiting(): void {
    for (const row of this.rows()) {
      const waitsForLink = row.state === "unknown" || row.state === "queued";
      const waitsForSignIn = row.state === "parked" && row.notBefore === undefined;
      if (waitsForLink && row.notBefore !== undefined) {
        delete row.notBefore;
        this.#retry.reset(row);
      }
      if (waitsForSignIn) this.#resultHandler.change(row, { state: "queued" });
    }
    this.#sendDue();
  }

  /** Sends rows that could still be undone, and waits for running calls; other rows stay. */
  async close(): Promise<void> {
    this.#finalRows = this.#releaseUndoable();
    this.#sendDue();
    this.#runner.close();
    for (const stop of this.#unsubscribes) stop();
    this.#editsOfPending.close();
    while (this.#calls.size) await Promise.allSettled(this.#calls);
    this.#resultHandler.close();
  }

  /** Ends all undo delays; returns these rows and the unsent rows that only waited behind them. */
  #releaseUndoable(): Set<OutboxRow> {
    const rows = this.rows();
    const released = rows.filter((each) => isUndoableDelete(each) || isUndoableSend(each));
    const behind = released
      .filter(isUndoableSend)
      .flatMap((row) =>
        this.#queue.behind(row).filter((each) => each.state === "queued" && each.tries === 0),
      );
    for (const row of released) this.#resultHandler.change(row, { state: "queued", notBefore: undefined });
    return new Set([...released, ...behind]);
  }

  /** Sends all rows that are due, and sets a timer for the next one. */
  readonly #sendDue = (): void => {
    const { clock } = this.#options;
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = clock.monotonic();
    let soonest = Infinity;
    for (const row of this.#queue.nextRows()) {
      if (this.#finalRows && !this.#finalRows.has(row)) continue;
      const at = isScheduled(row) ? now + this.#untilSent(row.action.at) : this.#retry.readyAt(row, now);
      if (at <= now && isScheduled(row)) this.#showScheduled(row);
      if (at > now) soonest = Math.min(soonest, at);
      else if (!this.#isOnline()) {
        this.#resultHandler.mark(row, { for: this.#options.refused?.() ? "signIn" : "network" });
        soonest = Math.min(soonest, now + OFFLINE_CHECK);
      } else if (!this.#queue.isFull) this.#start(row);
    }
    if (soonest < Infinity && !this.#finalRows)
      this.#timer = clock.setTimeout(this.#sendDue, Math.min(Math.max(1, soonest - now), MAX_RETRY_WAIT));
  };

  #isOnline(): boolean {
    return this.#options.online?.() ?? true;
  }

  /** Milliseconds until a scheduled time, by the provider's clock as far as known. Clocks may be set, so it is checked repeatedly. */
  #untilSent(at: number): number {
    const { clock, machine } = this.#options;
    return Math.max(0, at - clock.now() - machine.offset());
  }

  #start(row: OutboxRow): void {
    this.#queue.start(row);
    const run = this.#runner
      .run(row)
      .catch((error: unknown) =>
        this.#options.log.error("an outbox row failed unexpectedly", { error: String(error) }),
      )
      .finally(() => {
        this.#queue.finish(row);
        this.#calls.delete(run);
        this.#sendDue();
      });
    this.#calls.add(run);
  }

  #onMessage(event: AnyEvent): void {
    const message = event.message as Message | undefined;
    if (!message || message.user?.id !== this.#options.userId()) return;
    const row = this.findSend(message.id);
    if (!row) return;
    if (this.#queue.isSending(row)) this.#runner.onMessageEvent(row, message);
    else if (row.tries > 0) {
      this.#resultHandler.settle(row, { message }, { fromEvent: true });
      this.#sendDue();
    }
  }

  #retryRow(row: OutboxRow): void {
    if (isScheduled(row)) this.#showScheduled(row);
    const { action } = row;
    const wasFailed = row.state === "failed";
    if (action.kind === "edit" && wasFailed) {
      const { baseUpdatedAt: _, ...rest } = action;
      this.#resultHandler.change(row, { action: rest });
    }
    const state = wasFailed || row.state === "parked" ? "queued" : row.state;
    this.#resultHandler.change(row, { state, notBefore: undefined, error: undefined, once: false });
    this.#retry.unlimit(action.kind);
    if (wasFailed && action.kind !== "send") this.#showAgain(row);
    this.#resultHandler.mark(row, { for: "turn" });
    this.#queue.unblock(row.cid);
  }

  /** Turns a scheduled message that is due into a regular one, written now. */
  #showScheduled(row: OutboxRow): void {
    const { at: _, ...action } = row.action as Extract<OutboxRow["action"], { kind: "send" }>;
    row.createdAt = this.#options.clock.now();
    this.#resultHandler.change(row, { action, state: "queued", notBefore: undefined });
    this.#showAgain(row);
    this.#resultHandler.publishCount();
    const notice = { level: "info", text: SENDING_SCHEDULED, origin: "outbox" } as const;
    this.#options.machine.apply({ kind: "notice", notice });
  }

  #showAgain(row: OutboxRow): void {
    const { machine } = this.#options;
    const user: User = machine.state().me ?? { id: this.#options.userId() ?? "" };
    machine.apply({ kind: "queued", row, user, fresh: false });
  }
}
