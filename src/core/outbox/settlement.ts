/** Settles an outbox row as sent, refused or waiting: on disk first, then in the state, then for whoever waits for it (D1, D3, D5). */
import type { Message } from "../../wire/entities/message.ts";
import { reasonOf } from "../../wire/errors.ts";
import { ChangedMeanwhileError, type RowAnswer } from "./execute-row.ts";
import type { HeldMessage } from "../../model/state.ts";
import { isUnstored } from "../state/unstored.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import type { OutboxOptions } from "./options.ts";
import type { RetryClock } from "./retry-clock.ts";
import { isScheduled, type SendQueue } from "./send-queue.ts";

type Waits = NonNullable<HeldMessage["waits"]>;

export interface Watcher {
  settled(message: Message | undefined): void;
  failed(error: Error, row: OutboxRow): void;
  waiting(): void;
  /** Nobody can sign in while this is watched: a refusal that asks for it is final. */
  alone?: boolean;
}

export class Settlement {
  readonly #options: OutboxOptions;
  readonly #queue: SendQueue;
  readonly #retry: RetryClock;
  readonly #watchers = new Map<number, Watcher>();
  /** The disk refused the last write. */
  #faulty = false;

  constructor(options: OutboxOptions, queue: SendQueue, retry: RetryClock) {
    this.#options = options;
    this.#queue = queue;
    this.#retry = retry;
  }

  watch(row: OutboxRow, watcher: Watcher): void {
    this.#watchers.set(row.seq, watcher);
  }

  /** Whoever waits for this row is told at once what has to be mended first. */
  isAlone(row: OutboxRow): boolean {
    return this.#watchers.get(row.seq)?.alone === true;
  }

  /** The rows stay; nobody learns in this process what became of them. */
  close(): void {
    for (const watcher of this.#watchers.values()) watcher.waiting();
    this.#watchers.clear();
  }

  /** The row as it is from now on, in memory and on disk; a key that is given as undefined is forgotten. */
  change(row: OutboxRow, next: Partial<OutboxRow>): void {
    Object.assign(row, next);
    if ("notBefore" in next && next.notBefore === undefined) delete row.notBefore;
    if ("notBefore" in next) this.#retry.set(row);
    if ("error" in next && next.error === undefined) delete row.error;
    const { store } = this.#options;
    this.#write(() => store.update(row.seq, next as Parameters<typeof store.update>[1]));
  }

  mark(row: OutboxRow, waits: Waits): void {
    this.#options.machine.apply({ kind: "marked", row, waits });
  }

  publishCount(): void {
    const count = this.#queue.rows().filter((row) => !isScheduled(row)).length;
    this.#options.machine.apply({ kind: "outbox", count });
  }

  /** `since` = revision of the state when its answer was asked for; `fromEvent`: it is no answer, an event has told it. */
  settle(
    row: OutboxRow,
    { message, reaction }: RowAnswer,
    { since, fromEvent = false }: { since?: number; fromEvent?: boolean } = {},
  ): void {
    const { store, machine } = this.#options;
    const watcher = this.leave(row);
    const { action } = row;
    const kept = action.kind !== "send" || !message || !isUnstored(message, action.message);
    // What an event tells, the cache takes from the event.
    this.#write(() => store.settle(row.seq, kept && !fromEvent ? message : undefined));
    machine.apply({
      kind: "settled",
      row,
      ...(message && { message }),
      ...(reaction && { reaction }),
      ...(since !== undefined && { since }),
      ...(fromEvent && { fromEvent }),
    });
    this.publishCount();
    watcher?.settled(message);
  }

  /** A refused send stays and waits for the user, and so does an edit that met another one; anything else is over. */
  reject(row: OutboxRow, error: Error, answer?: Message): void {
    const { store, machine } = this.#options;
    const watcher = this.#unwatch(row);
    this.change(row, { state: "failed", error: storedError(error), notBefore: undefined });
    machine.apply({ kind: "rejected", row, ...(answer && { answer }) });
    if (row.action.kind === "send") this.#queue.hold(row);
    else if (!(error instanceof ChangedMeanwhileError)) {
      this.leave(row);
      this.#write(() => store.remove(row.seq));
    }
    if (row.action.kind !== "send") this.#tell(error);
    this.publishCount();
    watcher?.failed(error, row);
  }

  /** R-SEND-14: said by the notice, so a face that shows notices says it no second time. */
  #tell(error: Error): void {
    const notice = { level: "error", text: reasonOf(error.message), origin: "outbox" } as const;
    this.#options.machine.apply({ kind: "notice", notice });
    Object.assign(error, { noticed: true });
  }

  backOff(row: OutboxRow, state: "unknown" | "queued"): void {
    const notBefore = this.#retry.backOff(row);
    this.change(row, { state, notBefore });
    const online = this.#options.online?.() ?? true;
    this.mark(row, { for: "network", ...(online && { until: notBefore }) });
  }

  /** Takes the row out of its queue; gives back who waited for it. */
  leave(row: OutboxRow): Watcher | undefined {
    this.#queue.remove(row);
    return this.#unwatch(row);
  }

  /** Removes the row from disk and state. */
  forget(row: OutboxRow): void {
    const { store, machine } = this.#options;
    this.leave(row);
    this.#write(() => store.remove(row.seq));
    machine.apply({ kind: "dropped", row });
    this.publishCount();
  }

  #unwatch(row: OutboxRow): Watcher | undefined {
    const watcher = this.#watchers.get(row.seq);
    this.#watchers.delete(row.seq);
    return watcher;
  }

  /** A disk that refuses is told, and memory goes on: the row is found again at the next start. */
  #write(run: () => void): void {
    const { machine, log } = this.#options;
    try {
      run();
      if (this.#faulty) machine.apply({ kind: "storage", storage: undefined });
      this.#faulty = false;
    } catch (error) {
      this.#faulty = true;
      log.error("the outbox could not be written", { error: String(error) });
      machine.apply({ kind: "storage", storage: error instanceof Error ? error.message : String(error) });
    }
  }
}

function storedError(error: Error): NonNullable<OutboxRow["error"]> {
  const { code, status } = error as { code?: unknown; status?: unknown };
  return {
    message: error.message,
    ...(typeof code === "number" && { code }),
    ...(typeof status === "number" && { status }),
  };
}
