/** Sends outbox rows when their turn and time have come, and carries out what the user decides about them (D2–D5, D14). */
import type { Message, MessageInput } from "../../wire/entities/message.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { User } from "../../wire/entities/user.ts";
import type { Timer } from "../base/ports.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import { LateEdits, type LateAgain } from "./late-edits.ts";
import type { OutboxOptions } from "./options.ts";
import { LONGEST_WAIT, RetryClock } from "./retry-clock.ts";
import { RowRunner } from "./row-runner.ts";
import { isDelayed, isHeldBack, isScheduled, SendQueue } from "./send-queue.ts";
import { Settlement, type Watcher } from "./settlement.ts";

/** Milliseconds after which a row that waits for the link is looked at again, whatever else happens. */
const OFFLINE_LOOK = LONGEST_WAIT / 6;

const GOES_OUT = "A message that was written for later goes out now";

export class RowSender {
  readonly #options: OutboxOptions;
  readonly #queue = new SendQueue();
  readonly #retry: RetryClock;
  readonly #settlement: Settlement;
  readonly #late: LateEdits;
  readonly #runner: RowRunner;
  readonly #unlisten: (() => void)[];
  readonly #calls = new Set<Promise<void>>();
  #timer: Timer | undefined;
  /** The rows that may still go out while the program ends. */
  #last: ReadonlySet<OutboxRow> | undefined;

  constructor(options: OutboxOptions, again: LateAgain) {
    const { machine, clock } = options;
    const queue = this.#queue;
    const late = new LateEdits(machine, clock, again);
    const retry = new RetryClock(options);
    const settlement = new Settlement(options, queue, retry);
    this.#options = options;
    this.#late = late;
    this.#retry = retry;
    this.#settlement = settlement;
    this.#runner = new RowRunner({ options, queue, retry, settlement, late });
    this.#unlisten = ["message.new", "notification.message_new"].map((type) =>
      machine.on(type, (event) => this.#sawMessage(event)),
    );
  }

  add(row: OutboxRow, watcher?: Watcher): void {
    if (!this.#queue.add(row)) return;
    this.#retry.set(row);
    if (watcher) this.#settlement.watch(row, watcher);
    this.#settlement.publishCount();
    if (isDelayed(row)) this.#settlement.mark(row, { for: "undo", until: row.notBefore! });
    else if (row.state !== "failed" && !isScheduled(row))
      this.#settlement.mark(row, { for: row.state === "unknown" ? "answer" : "turn" });
    queueMicrotask(this.#pump);
  }

  /** Whether a row of this channel that is added now is sent at once: nothing is before it, and the link is there. */
  goesAtOnce(cid: string): boolean {
    return !this.#last && !this.#queue.isFull && this.#queue.isEmpty(cid) && this.#isOnline();
  }

  rows(): OutboxRow[] {
    return this.#queue.rows();
  }

  find(test: (row: OutboxRow) => boolean): OutboxRow | undefined {
    return this.#queue.find(test);
  }

  /** The user has acted on the channel: rows behind a refused one go on. */
  release(cid: string): void {
    this.#queue.release(cid);
    queueMicrotask(this.#pump);
  }

  /** Changes an unsent send in place; false when it may have reached the provider. */
  rewrite(row: OutboxRow, set: Record<string, unknown>, unset: string[]): boolean {
    if (row.action.kind !== "send" || this.#queue.isOnWire(row)) return false;
    if (row.state !== "failed" && (row.tries > 0 || row.state !== "queued")) return false;
    const message = { ...row.action.message, ...set, id: row.messageId } as typeof row.action.message;
    for (const key of unset) delete (message as unknown as Record<string, unknown>)[key];
    this.#options.machine.apply({ kind: "dropped", row });
    this.#settlement.change(row, { action: { ...row.action, message } });
    this.#showAgain(row);
    return true;
  }

  /** Takes a row out of its queue if it certainly is not at the provider; `force` also when that is unknown. */
  withdraw(seq: number, force = false): OutboxRow | undefined {
    const row = this.#queue.find((each) => each.seq === seq);
    if (!row || this.#queue.isOnWire(row)) return undefined;
    const certain = row.state === "failed" || row.tries === 0 || row.state === "queued";
    if (!certain && !force) return undefined;
    this.#settlement.leave(row);
    return row;
  }

  /** Takes back a message that never went out, or is known to be `refused`; undefined when it is too late. */
  unsend(messageId: string, refused = false): MessageInput | undefined {
    const row = this.find((each) => each.messageId === messageId && each.action.kind === "send");
    if (row?.action.kind !== "send") return undefined;
    // The answer of one that is refused may not be put away yet: it counts as being on the wire.
    if (!refused && (row.tries > 0 || !this.withdraw(row.seq))) return undefined;
    if (refused) this.withdraw(row.seq);
    const { message } = row.action;
    this.forget(row);
    return message;
  }

  /** Removes a row from disk and state. */
  forget(row: OutboxRow): void {
    this.#settlement.forget(row);
    this.release(row.cid);
  }

  /** Takes back a delete that is held back; false when there is none any more. */
  keep(messageId: string): boolean {
    const row = this.find((each) => each.messageId === messageId && isHeldBack(each));
    if (!row) return false;
    const watcher = this.#settlement.leave(row);
    this.forget(row);
    watcher?.settled(undefined);
    return true;
  }

  retry(messageId: string): void {
    for (const row of this.rows().filter((each) => each.messageId === messageId))
      if (!this.#queue.isOnWire(row)) this.#retryRow(row);
    this.#pump();
  }

  /**
   * Forgets what was to be done about a message, the newest first, whether or not it has arrived. What is on the wire stays,
   * unless it is to be `forgotten` too: it may still arrive, and is not sent again.
   */
  drop(messageId: string, forgotten = false): void {
    const rows = this.rows().filter((row) => row.messageId === messageId);
    for (const row of rows.toReversed()) {
      const taken = this.withdraw(row.seq, true) ?? (forgotten ? row : undefined);
      if (taken) this.forget(taken);
    }
  }

  /** Everything that waited for the link or a sign-in may go now. */
  drain(): void {
    for (const row of this.rows()) {
      const waitsForLink = row.state === "unknown" || row.state === "queued";
      const waitsForSignIn = row.state === "parked" && row.notBefore === undefined;
      if (waitsForLink && row.notBefore !== undefined) {
        delete row.notBefore;
        this.#retry.reset(row);
      }
      if (waitsForSignIn) this.#settlement.change(row, { state: "queued" });
    }
    this.#pump();
  }

  /** Sends what could still be taken back, and waits until no call is on the wire; other rows stay. */
  async close(): Promise<void> {
    this.#last = this.#takeBackEnds();
    this.#pump();
    this.#runner.close();
    for (const stop of this.#unlisten) stop();
    this.#late.close();
    while (this.#calls.size) await Promise.allSettled(this.#calls);
    this.#settlement.close();
  }

  /** Nobody can take anything back any more: the rows that waited for that, and what only waited behind them. */
  #takeBackEnds(): Set<OutboxRow> {
    const rows = this.rows();
    const released = rows.filter((each) => isHeldBack(each) || isDelayed(each));
    const behind = released
      .filter(isDelayed)
      .flatMap((row) =>
        this.#queue.behind(row).filter((each) => each.state === "queued" && each.tries === 0),
      );
    for (const row of released) this.#settlement.change(row, { state: "queued", notBefore: undefined });
    return new Set([...released, ...behind]);
  }

  /** Starts what may start, and comes back when the next row is due. */
  readonly #pump = (): void => {
    const { clock } = this.#options;
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = clock.monotonic();
    let soonest = Infinity;
    for (const row of this.#queue.turns()) {
      if (this.#last && !this.#last.has(row)) continue;
      const at = isScheduled(row) ? now + this.#untilSent(row.action.at) : this.#retry.readyAt(row, now);
      if (at <= now && isScheduled(row)) this.#appear(row);
      if (at > now) soonest = Math.min(soonest, at);
      else if (!this.#isOnline()) {
        this.#settlement.mark(row, { for: this.#options.refused?.() ? "signIn" : "network" });
        soonest = Math.min(soonest, now + OFFLINE_LOOK);
      } else if (!this.#queue.isFull) this.#start(row);
    }
    if (soonest < Infinity && !this.#last)
      this.#timer = clock.setTimeout(this.#pump, Math.min(Math.max(1, soonest - now), LONGEST_WAIT));
  };

  #isOnline(): boolean {
    return this.#options.online?.() ?? true;
  }

  /** By the provider's clock, as far as it is known; clocks may be set: it is looked at again and again. Milliseconds. */
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
        this.#pump();
      });
    this.#calls.add(run);
  }

  #sawMessage(event: AnyEvent): void {
    const message = event.message as Message | undefined;
    if (!message || message.user?.id !== this.#options.userId()) return;
    const row = this.find((each) => each.messageId === message.id && each.action.kind === "send");
    if (!row) return;
    if (this.#queue.isOnWire(row)) this.#runner.sawCopy(row, message);
    else if (row.tries > 0) {
      this.#settlement.settle(row, { message }, { fromEvent: true });
      this.#pump();
    }
  }

  #retryRow(row: OutboxRow): void {
    if (isScheduled(row)) this.#appear(row);
    const { action } = row;
    const wasFailed = row.state === "failed";
    if (action.kind === "edit" && wasFailed) {
      const { baseUpdatedAt: _, ...rest } = action;
      this.#settlement.change(row, { action: rest });
    }
    const state = wasFailed || row.state === "parked" ? "queued" : row.state;
    this.#settlement.change(row, { state, notBefore: undefined, error: undefined });
    this.#retry.unlimit(action.kind);
    if (wasFailed && action.kind !== "send") this.#showAgain(row);
    this.#settlement.mark(row, { for: "turn" });
    this.#queue.release(row.cid);
  }

  /** Its time has come: from now on it is a message like others, written now. */
  #appear(row: OutboxRow): void {
    const { at: _, ...action } = row.action as Extract<OutboxRow["action"], { kind: "send" }>;
    row.createdAt = this.#options.clock.now();
    this.#settlement.change(row, { action, state: "queued", notBefore: undefined });
    this.#showAgain(row);
    this.#settlement.publishCount();
    const notice = { level: "info", text: GOES_OUT, origin: "outbox" } as const;
    this.#options.machine.apply({ kind: "notice", notice });
  }

  #showAgain(row: OutboxRow): void {
    const { machine } = this.#options;
    const user: User = machine.state().me ?? { id: this.#options.userId() ?? "" };
    machine.apply({ kind: "queued", row, user, fresh: false });
  }
}
