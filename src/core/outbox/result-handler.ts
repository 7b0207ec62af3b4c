/** Settles an outbox row as sent, refused or waiting: on disk, then in the state, then for its watcher (D1, D3, D5). */
import type { Message } from "../../wire/entities/message.ts";
import { reasonOf } from "../../wire/errors.ts";
import { ChangedMeanwhileError, type RowAnswer } from "./execute-row.ts";
import type { ClientMessage } from "../../model/state.ts";
import { errorMessage } from "../../model/errors.ts";
import { isUnstored } from "../state/unstored.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import type { OutboxOptions } from "./options.ts";
import type { RetryClock } from "./retry-clock.ts";
import { isScheduled, type SendQueue } from "./send-queue.ts";

type Waits = NonNullable<ClientMessage["waits"]>;

export interface RowWatcher {
  /** `found`: a lookup by id told so, not an answer. */
  settled(message: Message | undefined, found?: boolean): void;
  failed(error: Error, row: OutboxRow): void;
  waiting(): void;
  /** Nobody can sign in during this run: a refusal that needs a sign-in is final. */
  cannotSignIn?: boolean;
}

export class ResultHandler {
  readonly #options: OutboxOptions;
  readonly #queue: SendQueue;
  readonly #retry: RetryClock;
  readonly #watchers = new Map<number, RowWatcher>();
  #isDiskFailing = false;

  constructor(options: OutboxOptions, queue: SendQueue, retry: RetryClock) {
    this.#options = options;
    this.#queue = queue;
    this.#retry = retry;
  }

  watch(row: OutboxRow, watcher: RowWatcher): void {
    this.#watchers.set(row.seq, watcher);
  }

  /** Whether the row fails at once when it needs a sign-in or meets a lasting failure. */
  failsOnSignIn(row: OutboxRow): boolean {
    return this.#watchers.get(row.seq)?.cannotSignIn === true;
  }

  /** The rows stay on disk; their watchers get no result in this process. */
  close(): void {
    for (const watcher of this.#watchers.values()) watcher.waiting();
    this.#watchers.clear();
  }

  /** Changes the row in memory and on disk; an undefined value clears its key. */
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

  /** `since` = revision of the state at the request; `fromEvent`, `found`: the message comes from an event, or from a lookup. */
  settle(
    row: OutboxRow,
    { message, reaction }: RowAnswer,
    {
      since,
      fromEvent = false,
      found = false,
    }: { since?: number; fromEvent?: boolean; found?: boolean } = {},
  ): void {
    const { store, machine } = this.#options;
    const watcher = this.dequeue(row);
    const { action } = row;
    const isStored = action.kind !== "send" || !message || !isUnstored(message, action.message);
    // The cache stores messages of events by itself.
    this.#write(() => store.settle(row.seq, isStored && !fromEvent ? message : undefined));
    machine.apply({
      kind: "settled",
      row,
      ...(message && { message }),
      ...(reaction && { reaction }),
      ...(since !== undefined && { since }),
      ...(fromEvent && { fromEvent }),
    });
    this.publishCount();
    watcher?.settled(message, found);
  }

  /** A refused send stays and waits for the user, and so does a conflicting edit; other rows are removed. */
  reject(row: OutboxRow, error: Error, answer?: Message): void {
    const { store, machine } = this.#options;
    const watcher = this.#unwatch(row);
    this.change(row, { state: "failed", error: storedError(error), notBefore: undefined });
    machine.apply({ kind: "rejected", row, ...(answer && { answer }) });
    if (row.action.kind === "send") this.#queue.block(row);
    else if (!(error instanceof ChangedMeanwhileError)) {
      this.dequeue(row);
      this.#write(() => store.remove(row.seq));
    }
    if (row.action.kind !== "send") this.#showNotice(error);
    this.publishCount();
    watcher?.failed(error, row);
  }

  /** R-SEND-14: shows a notice and marks the error as `noticed`, so that the screen does not show it again. */
  #showNotice(error: Error): void {
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

  /** Removes the row from its queue; returns its watcher. */
  dequeue(row: OutboxRow): RowWatcher | undefined {
    this.#queue.remove(row);
    return this.#unwatch(row);
  }

  remove(row: OutboxRow): void {
    const { store, machine } = this.#options;
    this.dequeue(row);
    this.#write(() => store.remove(row.seq));
    machine.apply({ kind: "dropped", row });
    this.publishCount();
  }

  #unwatch(row: OutboxRow): RowWatcher | undefined {
    const watcher = this.#watchers.get(row.seq);
    this.#watchers.delete(row.seq);
    return watcher;
  }

  /** Reports a failing disk in the state and goes on in memory: the row is found again at the next start. */
  #write(run: () => void): void {
    const { machine, log } = this.#options;
    try {
      run();
      if (this.#isDiskFailing) machine.apply({ kind: "storage", storage: undefined });
      this.#isDiskFailing = false;
    } catch (error) {
      this.#isDiskFailing = true;
      log.error("the outbox could not be written", { error: String(error) });
      machine.apply({ kind: "storage", storage: errorMessage(error) });
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
