/** Reduces events sent to the own user alone: drafts and reminders, shown on channels and messages (DR-5, RE-8). */
import type { EventEnvelope, WireEvent } from "../../wire/events.ts";
import { find, setOwnMark } from "./messages.ts";
import type { HeldMessage } from "../../model/state.ts";
import type { Table } from "./table.ts";
import type { StateDraft } from "./state-draft.ts";
import { isNewer } from "./told.ts";

/** The message as the provider told it, without the changes that are on their way. */
function baseOf(draft: StateDraft, cid: string, id: string): HeldMessage | undefined {
  return draft.peekMeta(cid).pending.get(id)?.base ?? find(draft, cid, id);
}

type DraftEvent = WireEvent<"draft.updated" | "draft.deleted">;

/** Of the channel, or of a thread: then it stands on the message the thread hangs from. */
function applyDraft(draft: StateDraft, event: DraftEvent): void {
  const cid = event.cid!;
  const parentId = event.parent_id ?? event.draft?.parent_id;
  const kept = event.type === "draft.updated" ? event.draft : undefined;
  if ((event.type === "draft.updated" && !kept) || !isNewer(draft, cid, `draft ${parentId ?? ""}`, event))
    return;
  if (parentId === undefined) {
    const entry = draft.entry(cid)!;
    if (kept) entry.draft = kept;
    else delete entry.draft;
    return;
  }
  const held = baseOf(draft, cid, parentId);
  if (!held) return;
  const { draft: _, ...rest } = held;
  setOwnMark(draft, cid, "draft", kept ? { ...rest, draft: kept } : rest);
}

type ReminderEvent = WireEvent<
  "reminder.created" | "reminder.updated" | "reminder.deleted" | "notification.reminder_due"
>;

/** A due one stays, overdue, until it is changed or deleted (RE-6); the list of reminders gives the notice (R-REM-2). */
function reminder(draft: StateDraft, event: ReminderEvent & EventEnvelope): void {
  const cid = event.cid!;
  const id = event.message_id ?? event.reminder?.message_id;
  const held = id === undefined ? undefined : baseOf(draft, cid, id);
  if (!held || !isNewer(draft, cid, `reminder ${id}`, event)) return;
  const { reminder: _, reminderDue: _due, ...rest } = held;
  if (event.type === "reminder.deleted") return setOwnMark(draft, cid, "reminder", rest);
  if (!event.reminder) return;
  // The message itself is held already, and so is the channel.
  const { message: _m, channel: _c, user: _u, ...own } = event.reminder;
  const due = event.type === "notification.reminder_due";
  setOwnMark(draft, cid, "reminder", { ...rest, reminder: own, ...(due && { reminderDue: true }) });
}

export const PERSONAL_EVENTS: Table = {
  "draft.updated": applyDraft,
  "draft.deleted": applyDraft,
  "reminder.created": reminder,
  "reminder.updated": reminder,
  "reminder.deleted": reminder,
  "notification.reminder_due": reminder,
};
