/** The order in which outbox rows go out, as pure data: a queue a channel, one row of each at a time, four channels at once (D2, D5). */
import type { OutboxRow } from "../base/outbox-row.ts";

const CHANNELS_AT_ONCE = 4;

interface ChannelQueue {
  /** Ascending by `seq`. */
  rows: OutboxRow[];
  /** The row on the wire. */
  busy: OutboxRow | undefined;
  /** A send was refused: the rows behind it wait for the user (specification/sending.md §2). */
  held: boolean;
}

const isParked = (row: OutboxRow): boolean =>
  row.state === "parked" && row.notBefore !== undefined && row.error === undefined;

/** A delete that can still be taken back. */
export const isHeldBack = (row: OutboxRow): boolean => row.action.kind === "delete" && isParked(row);

/** A message whose time has not come. */
export const isScheduled = (
  row: OutboxRow,
): row is OutboxRow & { action: Extract<OutboxRow["action"], { kind: "send" }> & { at: number } } =>
  row.action.kind === "send" && row.action.at !== undefined && isParked(row);

/** A message that can still be taken back; what was written after it waits behind it. */
export const isDelayed = (row: OutboxRow): boolean =>
  row.action.kind === "send" && row.action.at === undefined && isParked(row);

export class SendQueue {
  readonly #channels = new Map<string, ChannelQueue>();
  #active = 0;

  rows(): OutboxRow[] {
    return [...this.#channels.values()].flatMap((queue) => queue.rows);
  }

  find(test: (row: OutboxRow) => boolean): OutboxRow | undefined {
    return this.rows().find(test);
  }

  /** False when it is in already. */
  add(row: OutboxRow): boolean {
    let queue = this.#channels.get(row.cid);
    if (!queue) this.#channels.set(row.cid, (queue = { rows: [], busy: undefined, held: false }));
    if (queue.rows.some((each) => each.seq === row.seq)) return false;
    queue.rows = [...queue.rows, row].toSorted((a, b) => a.seq - b.seq);
    return true;
  }

  remove(row: OutboxRow): void {
    const queue = this.#channels.get(row.cid);
    if (!queue) return;
    queue.rows = queue.rows.filter((each) => each.seq !== row.seq);
    this.#forgetEmpty(row.cid, queue);
  }

  holds(row: OutboxRow): boolean {
    return this.#channels.get(row.cid)?.rows.includes(row) ?? false;
  }

  /** Rows of the same channel that were submitted later. */
  behind(row: OutboxRow): OutboxRow[] {
    return this.#channels.get(row.cid)?.rows.filter((each) => each.seq > row.seq) ?? [];
  }

  /** The row was refused: what was submitted after it waits for the user. */
  hold(row: OutboxRow): void {
    const queue = this.#channels.get(row.cid);
    if (queue) queue.held = this.behind(row).some((later) => !isScheduled(later));
  }

  /** The user has acted on the channel. */
  release(cid: string): void {
    const queue = this.#channels.get(cid);
    if (queue) queue.held = false;
  }

  isEmpty(cid: string): boolean {
    return !this.#channels.has(cid);
  }

  isOnWire(row: OutboxRow): boolean {
    return this.#channels.get(row.cid)?.busy === row;
  }

  get isFull(): boolean {
    return this.#active >= CHANNELS_AT_ONCE;
  }

  /**
   * The row of each channel whose turn it is, oldest channel first; whether its time has come is the clock's to say.
   * A refused row is passed by, and so are a delete while it is held back and a message whose time has not come: they have a turn of their own.
   */
  *turns(): Generator<OutboxRow> {
    const oldest = [...this.#channels.values()].toSorted(
      (a, b) => (a.rows[0]?.seq ?? 0) - (b.rows[0]?.seq ?? 0),
    );
    for (const queue of oldest) {
      for (const row of queue.rows) {
        const scheduled = isScheduled(row);
        if (queue.busy || (queue.held && !scheduled)) break;
        if (row.state === "failed") continue;
        const passedBy = scheduled || isHeldBack(row);
        const waitsForSignIn = row.state === "parked" && row.notBefore === undefined;
        if (!waitsForSignIn) yield row;
        if (!passedBy) break;
      }
    }
  }

  start(row: OutboxRow): void {
    this.#channels.get(row.cid)!.busy = row;
    this.#active += 1;
  }

  finish(row: OutboxRow): void {
    const queue = this.#channels.get(row.cid)!;
    queue.busy = undefined;
    this.#active -= 1;
    this.#forgetEmpty(row.cid, queue);
  }

  #forgetEmpty(cid: string, queue: ChannelQueue): void {
    if (queue.rows.length === 0 && !queue.busy) this.#channels.delete(cid);
  }
}
