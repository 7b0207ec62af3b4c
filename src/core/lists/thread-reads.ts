/** Marks threads read, each at most once a second (R-THREAD-3). */
import { MARK_READ_THROTTLE } from "../../wire/constants.ts";
import { KeyedThrottle } from "../base/keyed-throttle.ts";
import type { Clock, Log } from "../base/ports.ts";
import { partsOf } from "../base/validate-call.ts";
import type { ApiCall } from "../base/api-types.ts";

export class ThreadReads {
  readonly #deps: { call: ApiCall; clock: Clock; log: Log };
  /** Keyed by parent message id. */
  readonly #throttle: KeyedThrottle;
  /** Threads outside the list → the newest reply that was marked read. */
  readonly #upTo = new Map<string, string>();

  constructor(deps: { call: ApiCall; clock: Clock; log: Log }) {
    this.#deps = deps;
    this.#throttle = new KeyedThrottle(deps.clock, MARK_READ_THROTTLE);
  }

  mark(parentId: string, cid: string): void {
    this.#throttle.run(parentId, () => this.#send(parentId, cid));
  }

  /** Like `mark`, unless this newest reply was marked already. */
  markUpTo(parentId: string, cid: string, replyId: string): void {
    if (this.#upTo.get(parentId) === replyId) return;
    this.#upTo.set(parentId, replyId);
    this.mark(parentId, cid);
  }

  /** The thread is unread again: allows marking the same newest reply again. */
  undo(parentId: string): void {
    this.#upTo.delete(parentId);
    this.#throttle.cancelPending(parentId);
  }

  reset(): void {
    this.#throttle.clear();
    this.#upTo.clear();
  }

  #send(parentId: string, cid: string): void {
    const { call, log } = this.#deps;
    call("markRead", { path: partsOf(cid), body: { thread_id: parentId } }).catch((error: Error) =>
      log.debug("marking a thread read failed", { error: error.message }),
    );
  }
}
