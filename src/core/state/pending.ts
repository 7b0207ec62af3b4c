/** Adds unconfirmed edits, deletes and reactions to loaded messages, and removes them again (R-SEND-14, D11). */
import type { OutboxRow } from "../base/outbox-row.ts";
import { find, replace, withdraw } from "./messages.ts";
import { withOverlays } from "./overlays.ts";
import type { StateDraft } from "./state-draft.ts";

export function addOverlay(draft: StateDraft, row: OutboxRow): void {
  const held = find(draft, row.cid, row.messageId);
  if (!held) return;
  const meta = draft.meta(row.cid);
  const before = meta.pending.get(row.messageId);
  if (before?.changes.some((change) => change.seq === row.seq)) return;
  const next = {
    base: before?.base ?? held,
    changes: [...(before?.changes ?? []), { seq: row.seq, action: row.action }],
  };
  meta.pending = draft.writable(meta.pending).set(row.messageId, next);
  replace(draft, row.cid, withOverlays(next.base, next.changes, draft.context));
}

/** Takes one change off; what is left of the message stays shown. */
export function removeOverlay(draft: StateDraft, row: OutboxRow): void {
  const meta = draft.meta(row.cid);
  const before = meta.pending.get(row.messageId);
  if (!before) return;
  const changes = before.changes.filter((change) => change.seq !== row.seq);
  meta.pending = changes.length
    ? draft.writable(meta.pending).set(row.messageId, { ...before, changes })
    : draft.without(meta.pending, row.messageId);
  replace(draft, row.cid, withOverlays(before.base, changes, draft.context));
}

/** An acknowledged change becomes part of the base, for an answer without a message. */
export function confirmOverlay(draft: StateDraft, row: OutboxRow): void {
  if (row.action.kind === "delete" && row.action.hard) return withdraw(draft, row.cid, row.messageId);
  const meta = draft.meta(row.cid);
  const before = meta.pending.get(row.messageId);
  if (!before) return;
  const { pendingChange: _, ...base } = withOverlays(
    before.base,
    before.changes.filter((change) => change.seq === row.seq),
    draft.context,
  );
  meta.pending = draft.writable(meta.pending).set(row.messageId, { ...before, base });
  removeOverlay(draft, row);
}
