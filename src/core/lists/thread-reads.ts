/** Marks threads read, each at most once a second (R-THREAD-3). */
import { MARK_READ_THROTTLE } from "../../wire/constants.ts";
import type { Clock, Log, Timer } from "../base/ports.ts";
import { partsOf } from "../base/validate-call.ts";
import type { ApiCall } from "../http/caller.ts";

export class ThreadReads {
  readonly #deps: { call: ApiCall; clock: Clock; log: Log };
  /** Threads marked within the last second; `again` when a further mark is due at its end. */
  readonly #recent = new Map<string, { timer: Timer; again: boolean }>();
  /** Threads outside the list → the newest reply that was marked read. */
  readonly #upTo = new Map<string, string>();

  constructor(deps: { call: ApiCall; clock: Clock; log: Log }) {
    this.#deps = deps;
  }

  mark(parentId: string, cid: string): void {
    const last = this.#recent.get(parentId);
    if (last) last.again = true;
    else this.#send(parentId, cid);
  }

  /** As `mark`, when this newest reply is another than the last time. */
  markUpTo(parentId: string, cid: string, replyId: string): void {
    if (this.#upTo.get(parentId) === replyId) return;
    this.#upTo.set(parentId, replyId);
    this.mark(parentId, cid);
  }

  /** It is unread again: the same newest reply is marked once more. */
  undo(parentId: string): void {
    this.#upTo.delete(parentId);
    const last = this.#recent.get(parentId);
    if (last) last.again = false;
  }

  forget(): void {
    for (const { timer } of this.#recent.values()) this.#deps.clock.clearTimeout(timer);
    this.#recent.clear();
    this.#upTo.clear();
  }

  #send(parentId: string, cid: string): void {
    const { call, clock, log } = this.#deps;
    const timer = clock.setTimeout(() => {
      const again = this.#recent.get(parentId)?.again;
      this.#recent.delete(parentId);
      if (again) this.#send(parentId, cid);
    }, MARK_READ_THROTTLE);
    this.#recent.set(parentId, { timer, again: false });
    call("markRead", { path: partsOf(cid), body: { thread_id: parentId } }).catch((error: Error) =>
      log.debug("marking a thread read failed", { error: error.message }),
    );
  }
}
