/** Reducers for events sent only to the current user: drafts and reminders (DR-5, RE-8). */
import { holdDraft } from "../../model/client-message.ts";
import type { EventEnvelope, WireEvent } from "../../wire/events.ts";
import { findLoaded, setPersonalField } from "./messages.ts";
import type { ClientMessage } from "../../model/state.ts";
import type { ReducerTable } from "./reducer-table.ts";
import type { StateDraft } from "./state-draft.ts";
import { takeIfNewer } from "./part-versions.ts";

/** The confirmed message, without pending changes. */
function baseOf(draft: StateDraft, cid: string, id: string): ClientMessage | undefined {
  return draft.peekMeta(cid).pending.get(id)?.base ?? findLoaded(draft, cid, id);
}

type DraftEvent = WireEvent<"draft.updated" | "draft.deleted">;

/** The draft of a channel, or of a thread: that is stored on the parent message. */
function applyDraft(draft: StateDraft, event: DraftEvent): void {
  const cid = event.cid!;
  const parentId = event.parent_id ?? event.draft?.parent_id;
  const saved = event.type === "draft.updated" ? event.draft : undefined;
  if (
    (event.type === "draft.updated" && !saved) ||
    !takeIfNewer(draft, cid, `draft ${parentId ?? ""}`, event)
  )
    return;
  if (parentId === undefined) {
    const entry = draft.entry(cid)!;
    if (saved) entry.draft = holdDraft(saved);
    else delete entry.draft;
    return;
  }
  const held = baseOf(draft, cid, parentId);
  if (!held) return;
  const { draft: _, ...rest } = held;
  setPersonalField(draft, cid, "draft", saved ? { ...rest, draft: holdDraft(saved) } : rest);
}

type ReminderEvent = WireEvent<
  "reminder.created" | "reminder.updated" | "reminder.deleted" | "notification.reminder_due"
>;

/** A due reminder stays until it is changed or deleted (RE-6); the list of reminders shows the notice (R-REM-2). */
function reminderChanged(draft: StateDraft, event: ReminderEvent & EventEnvelope): void {
  const cid = event.cid!;
  const id = event.message_id ?? event.reminder?.message_id;
  const held = id === undefined ? undefined : baseOf(draft, cid, id);
  if (!held || !takeIfNewer(draft, cid, `reminder ${id}`, event)) return;
  const { reminder: _, reminderDue: _due, ...rest } = held;
  if (event.type === "reminder.deleted") return setPersonalField(draft, cid, "reminder", rest);
  if (!event.reminder) return;
  // The message and the channel are loaded already.
  const { message: _m, channel: _c, user: _u, ...own } = event.reminder;
  const due = event.type === "notification.reminder_due";
  setPersonalField(draft, cid, "reminder", { ...rest, reminder: own, ...(due && { reminderDue: true }) });
}

export const PERSONAL_EVENTS: ReducerTable = {
  "draft.updated": applyDraft,
  "draft.deleted": applyDraft,
  "reminder.created": reminderChanged,
  "reminder.updated": reminderChanged,
  "reminder.deleted": reminderChanged,
  "notification.reminder_due": reminderChanged,
};
