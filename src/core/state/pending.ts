/** Adds unconfirmed edits, deletes and reactions to loaded messages, and removes them again (R-SEND-14, D11). */
import type { OutboxRow } from "../base/outbox-row.ts";
import { findLoaded, replaceMessage, removeLoaded } from "./messages.ts";
import { withPendingChanges } from "./pending-changes.ts";
import type { StateDraft } from "./state-draft.ts";

export function addOverlay(draft: StateDraft, row: OutboxRow): void {
  const held = findLoaded(draft, row.cid, row.messageId);
  if (!held) return;
  const meta = draft.meta(row.cid);
  const pending = meta.pending.get(row.messageId);
  if (pending?.changes.some((change) => change.seq === row.seq)) return;
  const next = {
    base: pending?.base ?? held,
    changes: [...(pending?.changes ?? []), { seq: row.seq, action: row.action }],
  };
  meta.pending = draft.writable(meta.pending).set(row.messageId, next);
  replaceMessage(draft, row.cid, withPendingChanges(next.base, next.changes, draft.context));
}

/** Removes one change; other pending changes of the message stay. */
export function removeOverlay(draft: StateDraft, row: OutboxRow): void {
  const meta = draft.meta(row.cid);
  const before = meta.pending.get(row.messageId);
  if (!before) return;
  const changes = before.changes.filter((change) => change.seq !== row.seq);
  meta.pending = changes.length
    ? draft.writable(meta.pending).set(row.messageId, { ...before, changes })
    : draft.without(meta.pending, row.messageId);
  replaceMessage(draft, row.cid, withPendingChanges(before.base, changes, draft.context));
}

/** Moves an acknowledged change into the base, when the answer contains no message. */
export function confirmOverlay(draft: StateDraft, row: OutboxRow): void {
  if (row.action.kind === "delete" && row.action.hard) return removeLoaded(draft, row.cid, row.messageId);
  const meta = draft.meta(row.cid);
  const before = meta.pending.get(row.messageId);
  if (!before) return;
  const { pendingChange: _, ...base } = withPendingChanges(
    before.base,
    before.changes.filter((change) => change.seq === row.seq),
    draft.context,
  );
  meta.pending = draft.writable(meta.pending).set(row.messageId, { ...before, base });
  removeOverlay(draft, row);
}
