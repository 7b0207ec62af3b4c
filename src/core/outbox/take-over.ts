/** Takes over outbox rows of earlier runs: own ones always, those of other programs once they have ended (specification/sending.md §2). */
import type { Timer } from "../base/ports.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import type { OutboxOptions } from "./options.ts";
import type { RowEchoes } from "./row-echoes.ts";
import { isScheduled } from "./send-queue.ts";
import type { RowSender } from "./row-sender.ts";

/** Milliseconds between two looks for rows of programs that have ended. */
const LOOK_EVERY = 5000;

export class TakeOver {
  readonly #options: OutboxOptions;
  readonly #sender: RowSender;
  readonly #echoes: RowEchoes;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: OutboxOptions, sender: RowSender, echoes: RowEchoes) {
    this.#options = options;
    this.#sender = sender;
    this.#echoes = echoes;
  }

  get isRunning(): boolean {
    return this.#timer !== undefined;
  }

  /** Takes what there is now, and looks again and again from then on. */
  readonly look = (): void => {
    const { store, clock, owner } = this.#options;
    clock.clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = clock.setTimeout(this.look, LOOK_EVERY);
    // Whose rows they are is not known before somebody has signed in.
    if (this.#options.userId() === undefined) return;
    const held = new Set(this.#sender.rows().map(({ seq }) => seq));
    const others = this.#stored().filter((row) => !held.has(row.seq));
    const mine = others.filter((row) => row.owner === owner);
    const orphans = others.filter((row) => row.owner !== owner && !store.alive(row.owner));
    const taken = orphans.length && store.lease(owner) ? orphans : [];
    for (const row of [...mine, ...taken].toSorted((a, b) => a.seq - b.seq)) this.#take(row);
  };

  close(): void {
    this.#closed = true;
    this.#options.clock.clearTimeout(this.#timer);
  }

  #stored(): OutboxRow[] {
    try {
      return this.#options.store.outbox();
    } catch (error) {
      this.#options.log.warn("the outbox could not be read", { error: String(error) });
      return [];
    }
  }

  /** What was on the wire is unknown now. */
  #take(row: OutboxRow): void {
    const { store, log, owner } = this.#options;
    const scheduled = isScheduled(row);
    const waits = row.state === "parked" && !scheduled;
    const state = row.state === "sending" ? "unknown" : waits ? "queued" : row.state;
    const next: OutboxRow = { ...row, owner, state };
    if (state !== "unknown" && !scheduled) delete next.notBefore;
    try {
      store.update(row.seq, { owner, state });
    } catch (error) {
      log.warn("a row of the outbox could not be taken over", { error: String(error) });
      return;
    }
    if (!scheduled) this.#echoes.show(next, false);
    this.#sender.add(next);
  }
}
