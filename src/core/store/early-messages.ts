/** Holds new messages of channels whose newest page is not cached yet, to add them after that page (D6). */
import type { Message } from "../../wire/entities/message.ts";
import { orderKey } from "../state/timeline.ts";

/** Most messages per channel; with more, it is unknown which follow its page. */
const MAX_PER_CHANNEL = 100;

export class EarlyMessages {
  readonly #waiting = new Map<string, Message[]>();

  note(message: Message): void {
    const list = this.#waiting.get(message.cid) ?? [];
    this.#waiting.set(message.cid, list);
    if (list.length <= MAX_PER_CHANNEL) list.push(message);
  }

  remove(id: string): void {
    for (const [cid, list] of this.#waiting)
      if (list.length <= MAX_PER_CHANNEL)
        this.#waiting.set(
          cid,
          list.filter((message) => message.id !== id),
        );
  }

  /** The messages after the page; undefined when there were too many. */
  after(cid: string, page: readonly Message[]): Message[] | undefined {
    const list = this.#waiting.get(cid) ?? [];
    this.#waiting.delete(cid);
    if (list.length > MAX_PER_CHANNEL) return undefined;
    const ids = new Set(page.map(({ id }) => id));
    const keys = page.map((message) => orderKey(message)).toSorted();
    return list.filter((message) => !ids.has(message.id) && orderKey(message) > (keys.at(-1) ?? ""));
  }

  clear(): void {
    this.#waiting.clear();
  }
}
