/** Takes over outbox rows of earlier runs: this owner's always, those of other processes once these have ended (specification/sending.md §2). */
import type { Timer } from "../base/ports.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import type { OutboxOptions } from "./options.ts";
import type { RowEchoes } from "./row-echoes.ts";
import { isScheduled } from "./send-queue.ts";
import { KILLED_RUN } from "./outbox-rows.ts";
import type { RowSender } from "./row-sender.ts";

/** Milliseconds between two checks for rows of ended processes. */
const CHECK_INTERVAL = 5000;

export class RowAdoption {
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

  /** Checks at once, if it checks at all. */
  refresh(): void {
    if (this.#timer !== undefined) this.check();
  }

  /** Takes over rows now, and then at regular intervals. */
  readonly check = (): void => {
    const { store, clock, owner } = this.#options;
    clock.clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = clock.setTimeout(this.check, CHECK_INTERVAL);
    // Before a sign-in it is unknown whose rows they are.
    if (this.#options.userId() === undefined) return;
    const queued = new Set(this.#sender.rows().map(({ seq }) => seq));
    const others = this.#stored().filter((row) => !queued.has(row.seq));
    // A command that is still running in this process sends its row itself.
    const own = others.filter((row) => row.owner === owner && (!row.once || row.state === "failed"));
    const orphans = others.filter((row) => row.owner !== owner && !store.alive(row.owner));
    const adopted = orphans.length && store.lease(owner) ? orphans : [];
    for (const row of [...own, ...adopted].toSorted((a, b) => a.seq - b.seq)) this.#adopt(row);
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

  /** A row that was being sent becomes `unknown`, one of a killed command waits for the user. */
  #adopt(row: OutboxRow): void {
    const { store, log, owner } = this.#options;
    const scheduled = isScheduled(row);
    const isParked = row.state === "parked" && !scheduled;
    const waiting = row.state === "sending" ? "unknown" : isParked ? "queued" : row.state;
    const state = row.once ? "failed" : waiting;
    const error = row.once && { error: row.error ?? { message: KILLED_RUN } };
    const next: OutboxRow = { ...row, owner, state, ...error };
    if (state !== "unknown" && !scheduled) delete next.notBefore;
    try {
      store.update(row.seq, { owner, state, ...error });
    } catch (error) {
      log.warn("a row of the outbox could not be taken over", { error: String(error) });
      return;
    }
    if (!scheduled) this.#echoes.show(next, false);
    this.#sender.add(next);
  }
}
