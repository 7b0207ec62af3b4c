/** Finds the pinned messages of an archive, which no index knows, a little at a time. */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";

/** Messages that are looked at between two turns of the loop. */
const ROWS_PER_TURN = 5000;
/** As many as a provider answers with a channel. */
const MOST_PINS = 100;

export class Pins {
  readonly #found = new Map<string, string[]>();
  #isStopped = false;
  #isComplete = false;

  /** The ids of those that were found so far in a channel. */
  of(cid: string): readonly string[] {
    return (this.#found.get(cid) ?? []).slice(-MOST_PINS);
  }

  /** The ids of all that may be pinned; undefined until all messages were looked at. */
  all(): string[] | undefined {
    return this.#isComplete ? [...this.#found.values()].flat() : undefined;
  }

  /** Calls `found` for each message that may be pinned. */
  async find(db: DatabaseSync, found: (id: string) => void): Promise<void> {
    const { last } = db.prepare("SELECT coalesce(max(n), 0) last FROM messages").get() as { last: number };
    const among = db.prepare(
      `SELECT cid, id FROM messages WHERE n > ? AND n <= ? AND instr(raw, '"pinned":true')`,
    );
    for (let from = 0; from < last && !this.#isStopped; from += ROWS_PER_TURN) {
      for (const row of among.all(from, from + ROWS_PER_TURN)) {
        const [cid, id] = [String(row.cid), String(row.id)];
        this.#found.set(cid, [...(this.#found.get(cid) ?? []), id]);
        found(id);
      }
      await turn();
    }
    this.#isComplete = !this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
  }
}
