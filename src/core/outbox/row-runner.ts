/** Runs one attempt of a row, from the lookup before it to the handling of its answer (D2, D11, D14). */
import type { Message } from "../../wire/entities/message.ts";
import { AnswerError, LocalError, TransportError } from "../../model/errors.ts";
import { isLasting } from "../../model/obstacles.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import { classifyResponse, type ResponseClass } from "./classify-response.ts";
import {
  ChangedMeanwhileError,
  checkBase,
  executeRow,
  findById,
  ID_TAKEN,
  type RowAnswer,
  type BaseCheck,
  type FoundMessage,
} from "./execute-row.ts";
import type { EditsOfPending } from "./edits-of-pending.ts";
import type { OutboxOptions } from "./options.ts";
import type { RetryClock } from "./retry-clock.ts";
import type { SendQueue } from "./send-queue.ts";
import type { ResultHandler } from "./result-handler.ts";

/** Edits younger than this are sent without checking their base first (D11), milliseconds. */
const FRESH_EDIT = 5000;

interface RunnerDeps {
  options: OutboxOptions;
  queue: SendQueue;
  retry: RetryClock;
  resultHandler: ResultHandler;
  editsOfPending: EditsOfPending;
}

export class RowRunner {
  readonly #deps: RunnerDeps;
  /** Row → revision of the state at its first try. */
  readonly #firstSent = new WeakMap<OutboxRow, number>();
  /** Messages received by the socket while their row was being sent. */
  readonly #eventCopies = new WeakMap<OutboxRow, Message>();
  #closed = false;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** D3: the message from the socket acknowledges the send; the HTTP answer may still correct it. */
  onMessageEvent(row: OutboxRow, message: Message): void {
    this.#eventCopies.set(row, message);
  }

  /** Running calls finish; a row that was only looked up is not sent afterwards. */
  close(): void {
    this.#closed = true;
  }

  async run(row: OutboxRow): Promise<void> {
    const { options, resultHandler, editsOfPending } = this.#deps;
    const me = options.userId();
    let since = options.machine.revision();
    try {
      if (row.state === "unknown" && row.action.kind === "send") {
        resultHandler.mark(row, { for: "answer" });
        if (this.#settleFound(row, await findById(options.call, row, me), since)) return;
      }
      if (this.#mustCheckBase(row))
        if (
          this.#settleByBase(
            row,
            await checkBase(options.call, row, (version) => editsOfPending.isOwnLateEdit(version)),
            since,
          )
        )
          return;
      resultHandler.change(row, {
        state: "sending",
        tries: row.tries + 1,
        notBefore: undefined,
        error: undefined,
      });
      resultHandler.mark(row, { for: "answer" });
      since = this.#firstTry(row);
      this.#accepted(row, await executeRow(options.call, row), since);
    } catch (error) {
      await this.#failed(row, error, since, me);
    }
  }

  /** Handles the lookup; true when the row must not be sent now. A row that was not found counts as never sent. */
  #settleFound(row: OutboxRow, found: FoundMessage, since: number): boolean {
    const { queue, resultHandler } = this.#deps;
    if (found.kind === "ours") resultHandler.settle(row, { message: found.message }, { since, found: true });
    else if (found.kind === "other") resultHandler.reject(row, new LocalError(ID_TAKEN));
    else resultHandler.change(row, { state: "queued", notBefore: undefined });
    return found.kind !== "none" || this.#closed || !queue.has(row);
  }

  #mustCheckBase(row: OutboxRow): boolean {
    if (row.action.kind !== "edit") return false;
    return this.#deps.options.clock.now() - row.createdAt > FRESH_EDIT || row.tries > 0;
  }

  #settleByBase(row: OutboxRow, { base, message }: BaseCheck, since: number): boolean {
    const { resultHandler, editsOfPending } = this.#deps;
    if (base === "done") {
      this.#rebase(row, message);
      editsOfPending.recordEnd(row, message, row.tries - 1);
      resultHandler.settle(row, {}, { since });
    } else if (base === "changed") {
      editsOfPending.recordEnd(row, undefined, row.tries);
      resultHandler.reject(row, new ChangedMeanwhileError());
    }
    return base !== "go";
  }

  /** The revision of the first try: the provider may repeat that answer, which lacks everything since. */
  #firstTry(row: OutboxRow): number {
    const revision = this.#firstSent.get(row) ?? (row.tries > 1 ? 0 : this.#deps.options.machine.revision());
    this.#firstSent.set(row, revision);
    return revision;
  }

  #accepted(row: OutboxRow, answer: RowAnswer, since: number): void {
    const { resultHandler, editsOfPending } = this.#deps;
    const { message } = answer;
    if (row.action.kind === "send" && message?.type === "error")
      return resultHandler.reject(row, new AnswerError(message.text || "The message was refused"), message);
    this.#rebase(row, message);
    editsOfPending.recordEnd(row, message, row.tries - 1);
    resultHandler.settle(row, answer, { since });
  }

  /** D11: the edited message is the new base of the user's later edits, not somebody else's change. */
  #rebase(row: OutboxRow, message: Message | undefined): void {
    if (row.action.kind !== "edit" || !message) return;
    for (const later of this.#deps.queue.behind(row)) {
      const { action } = later;
      if (later.messageId !== row.messageId || action.kind !== "edit") continue;
      if (action.baseUpdatedAt !== undefined)
        this.#deps.resultHandler.change(later, { action: { ...action, baseUpdatedAt: message.updated_at } });
    }
  }

  async #failed(row: OutboxRow, error: unknown, since: number, me: string | undefined): Promise<void> {
    const { resultHandler, editsOfPending } = this.#deps;
    const copy = this.#eventCopies.get(row);
    if (copy) return resultHandler.settle(row, { message: copy }, { since, fromEvent: true });
    const failure = error instanceof Error ? error : new Error(String(error));
    const response = this.#classify(row, error);
    switch (response.kind) {
      case "acked":
        return resultHandler.settle(row, {}, { since });
      case "rejected":
        editsOfPending.recordEnd(row, undefined, row.tries - 1);
        return resultHandler.reject(row, failure);
      case "exists":
        resultHandler.change(row, { state: "unknown", notBefore: undefined });
        return this.#resolveExisting(row, me, failure, since);
      case "unsent":
        return this.#notSent(row, failure);
      case "unknown":
        return resultHandler.backOff(row, row.state === "queued" ? "queued" : "unknown");
      case "parked":
        return this.#park(row, response, failure);
    }
  }

  #classify(row: OutboxRow, error: unknown): ResponseClass {
    const { machine, clock } = this.#deps.options;
    const cooldown = machine.state().channels.get(row.cid)?.channel.cooldown;
    return classifyResponse(error, {
      kind: row.action.kind,
      tries: row.tries,
      now: clock.now(),
      offset: machine.offset(),
      ...(cooldown !== undefined && { cooldown }),
    });
  }

  #notSent(row: OutboxRow, failure: Error): void {
    const { resultHandler } = this.#deps;
    if (row.state !== "sending")
      return resultHandler.backOff(row, row.state === "unknown" ? "unknown" : "queued");
    const isLastingFailure = failure instanceof TransportError && isLasting(failure.obstacle);
    if (isLastingFailure && resultHandler.failsOnSignIn(row)) return resultHandler.reject(row, failure);
    resultHandler.change(row, { tries: row.tries - 1 });
    resultHandler.backOff(row, "queued");
  }

  /** The provider refused the row for now, so it was not stored; unless only the lookup of an unknown row was refused. */
  #park(row: OutboxRow, { for: why, until }: ResponseClass & { kind: "parked" }, failure: Error): void {
    const { retry, resultHandler } = this.#deps;
    const isUnknown = row.state === "unknown";
    if (why === "signIn" && !isUnknown && resultHandler.failsOnSignIn(row))
      return resultHandler.reject(row, failure);
    if (why === "rateLimit" && until !== undefined) retry.limit(row.action.kind, until);
    resultHandler.change(row, {
      state: isUnknown ? "unknown" : "parked",
      tries: row.state === "sending" ? row.tries - 1 : row.tries,
      notBefore: until,
      error: { message: failure.message },
    });
    resultHandler.mark(row, { for: why, ...(until !== undefined && { until }) });
  }

  /** R-SEND-9, specification/sending.md §2: the id is taken. If the message is the user's, an earlier try arrived; if there is none, it arrived and was deleted. */
  async #resolveExisting(
    row: OutboxRow,
    me: string | undefined,
    refusal: Error,
    since: number,
  ): Promise<void> {
    const { options, resultHandler } = this.#deps;
    try {
      const found = await findById(options.call, row, me);
      if (found.kind === "ours")
        resultHandler.settle(row, { message: found.message }, { since, found: true });
      else if (found.kind === "none") resultHandler.settle(row, {}, { since });
      else resultHandler.reject(row, refusal);
    } catch {
      resultHandler.backOff(row, "unknown");
    }
  }
}
