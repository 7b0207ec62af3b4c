/** The order in which outbox rows are sent: a queue per channel, one row of each at a time, four channels at once (D2, D5). */
import type { OutboxRow } from "../base/outbox-row.ts";

const CHANNELS_AT_ONCE = 4;

interface ChannelQueue {
  /** Ascending by `seq`. */
  rows: OutboxRow[];
  /** The row that is being sent. */
  sending: OutboxRow | undefined;
  /** A send was refused: the rows after it wait for the user (specification/sending.md §2). */
  blocked: boolean;
}

const isWaitingForTime = (row: OutboxRow): boolean =>
  row.state === "parked" && row.notBefore !== undefined && row.error === undefined;

/** A delete that can still be undone. */
export const isUndoableDelete = (row: OutboxRow): boolean =>
  row.action.kind === "delete" && isWaitingForTime(row);

/** A message scheduled for later. */
export const isScheduled = (
  row: OutboxRow,
): row is OutboxRow & { action: Extract<OutboxRow["action"], { kind: "send" }> & { at: number } } =>
  row.action.kind === "send" && row.action.at !== undefined && isWaitingForTime(row);

/** A message that can still be undone; later messages wait behind it. */
export const isUndoableSend = (row: OutboxRow): boolean =>
  row.action.kind === "send" && row.action.at === undefined && isWaitingForTime(row);

export class SendQueue {
  readonly #channels = new Map<string, ChannelQueue>();
  #active = 0;

  rows(): OutboxRow[] {
    return [...this.#channels.values()].flatMap((queue) => queue.rows);
  }

  find(test: (row: OutboxRow) => boolean): OutboxRow | undefined {
    return this.rows().find(test);
  }

  /** False when the queue contains it already. */
  add(row: OutboxRow): boolean {
    let queue = this.#channels.get(row.cid);
    if (!queue) this.#channels.set(row.cid, (queue = { rows: [], sending: undefined, blocked: false }));
    if (queue.rows.some((each) => each.seq === row.seq)) return false;
    queue.rows = [...queue.rows, row].toSorted((a, b) => a.seq - b.seq);
    return true;
  }

  remove(row: OutboxRow): void {
    const queue = this.#channels.get(row.cid);
    if (!queue) return;
    queue.rows = queue.rows.filter((each) => each.seq !== row.seq);
    this.#dropIfEmpty(row.cid, queue);
  }

  has(row: OutboxRow): boolean {
    return this.#channels.get(row.cid)?.rows.includes(row) ?? false;
  }

  /** Later rows of the same channel. */
  behind(row: OutboxRow): OutboxRow[] {
    return this.#channels.get(row.cid)?.rows.filter((each) => each.seq > row.seq) ?? [];
  }

  /** The row was refused: later rows wait for the user. */
  block(row: OutboxRow): void {
    const queue = this.#channels.get(row.cid);
    if (queue) queue.blocked = this.behind(row).some((later) => !isScheduled(later));
  }

  /** The user has acted in the channel. */
  unblock(cid: string): void {
    const queue = this.#channels.get(cid);
    if (queue) queue.blocked = false;
  }

  isEmpty(cid: string): boolean {
    return !this.#channels.has(cid);
  }

  isSending(row: OutboxRow): boolean {
    return this.#channels.get(row.cid)?.sending === row;
  }

  get isFull(): boolean {
    return this.#active >= CHANNELS_AT_ONCE;
  }

  /**
   * The next row of each channel, oldest channel first, whether or not it is due. Refused rows are skipped; undoable deletes
   * and scheduled messages are returned but do not block the rows after them.
   */
  *nextRows(): Generator<OutboxRow> {
    const oldest = [...this.#channels.values()].toSorted(
      (a, b) => (a.rows[0]?.seq ?? 0) - (b.rows[0]?.seq ?? 0),
    );
    for (const queue of oldest) {
      for (const row of queue.rows) {
        const scheduled = isScheduled(row);
        if (queue.sending || (queue.blocked && !scheduled)) break;
        if (row.state === "failed") continue;
        const isSkippable = scheduled || isUndoableDelete(row);
        const waitsForSignIn = row.state === "parked" && row.notBefore === undefined;
        if (!waitsForSignIn) yield row;
        if (!isSkippable) break;
      }
    }
  }

  start(row: OutboxRow): void {
    this.#channels.get(row.cid)!.sending = row;
    this.#active += 1;
  }

  finish(row: OutboxRow): void {
    const queue = this.#channels.get(row.cid)!;
    queue.sending = undefined;
    this.#active -= 1;
    this.#dropIfEmpty(row.cid, queue);
  }

  #dropIfEmpty(cid: string, queue: ChannelQueue): void {
    if (queue.rows.length === 0 && !queue.sending) this.#channels.delete(cid);
  }
}
