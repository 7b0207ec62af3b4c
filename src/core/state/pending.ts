/** Lays unacknowledged edits, deletes and reactions over held messages, and takes them off again (R-SEND-14, D11). */
import type { OutboxRow } from "../store/store.ts";
import { find, replace, withdraw } from "./messages.ts";
import { project } from "./project.ts";
import type { Work } from "./work.ts";

export function layOver(work: Work, row: OutboxRow): void {
  const held = find(work, row.cid, row.messageId);
  if (!held) return;
  const book = work.book(row.cid);
  const before = book.pending.get(row.messageId);
  if (before?.changes.some((change) => change.seq === row.seq)) return;
  const next = {
    base: before?.base ?? held,
    changes: [...(before?.changes ?? []), { seq: row.seq, action: row.action }],
  };
  book.pending = new Map(book.pending).set(row.messageId, next);
  replace(work, row.cid, project(next.base, next.changes, work.facts));
}

/** Takes one change off; what is left of the message stays shown. */
export function takeOff(work: Work, row: OutboxRow): void {
  const book = work.book(row.cid);
  const before = book.pending.get(row.messageId);
  if (!before) return;
  const changes = before.changes.filter((change) => change.seq !== row.seq);
  const pending = new Map(book.pending);
  if (changes.length) pending.set(row.messageId, { ...before, changes });
  else pending.delete(row.messageId);
  book.pending = pending;
  replace(work, row.cid, project(before.base, changes, work.facts));
}

/** An acknowledged change becomes part of the base, for an answer without a message. */
export function makeTrue(work: Work, row: OutboxRow): void {
  if (row.action.kind === "delete" && row.action.hard) return withdraw(work, row.cid, row.messageId);
  const book = work.book(row.cid);
  const before = book.pending.get(row.messageId);
  if (!before) return;
  const { pendingChange: _, ...base } = project(
    before.base,
    before.changes.filter((change) => change.seq === row.seq),
    work.facts,
  );
  book.pending = new Map(book.pending).set(row.messageId, { ...before, base });
  takeOff(work, row);
}
