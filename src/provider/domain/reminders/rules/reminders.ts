/** Routes of message reminders: one of each user on each message, with a time or as a bookmark (specification/reminders.md). */
import type { Reminder } from "../../../../wire/entities/reminder.ts";
import { reminderBodies } from "../../../../wire/bodies/reminders.ts";
import { REMINDERS_PER_USER } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { requireFeature } from "../../access/view/policy.ts";
import { readableChannel } from "../../access/view/readable.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader, invalidField } from "../../validation/check.ts";
import { messageFor } from "../../messages/view/visibility.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { listingPage, readListing } from "../../query/listing.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { REMINDER_LIST, reminders, type ReminderRow } from "../storage/reminders.ts";
import { fullReminders } from "../view/reminders.ts";
import { publishReminder } from "./events.ts";

const view = (call: RouteCall, me: UserRow, row: ReminderRow): Reminder =>
  fullReminders(viewContext(call.db, call.emit, call.now(), me.id), [row])[0]!;

/** The user's reminder of a message; 404 when there is none (RE-3). */
function ownReminder(call: RouteCall, me: UserRow, messageId: string): ReminderRow {
  const row = reminders.find(call.db, { user_id: me.id, message_id: messageId });
  if (!row) throw ApiProblem.notFound(`There is no reminder of message ${messageId}`);
  return row;
}

/** Reads `remind_at` (RE-2): null or absent is a bookmark, a time must be in the future. */
function readTime(call: RouteCall): number | null {
  const check = new BodyReader(call.body);
  const { remind_at: remindAt = null } = check.read(reminderBodies.createReminder);
  if (remindAt !== null && remindAt <= call.now()) check.fail("remind_at", "must be in the future");
  check.done();
  return remindAt;
}

export function createReminder(call: RouteCall): Reply<"createReminder"> {
  const { db } = call;
  const { row: message, permissions } = messageFor(call);
  const me = actor(call);
  requireFeature(permissions, "user_message_reminders", "message reminders");
  const remindAt = readTime(call);
  if (message.type === "deleted")
    throw invalidField("id", "names a deleted message", "The message is deleted");
  if (reminders.has(db, { user_id: me.id, message_id: message.id }))
    throw invalidField(
      "id",
      "has a reminder already",
      `There is a reminder of message ${message.id} already`,
    );
  if (reminders.count(db, { user_id: me.id }) >= REMINDERS_PER_USER)
    throw invalidField(
      "id",
      `would be one more than ${REMINDERS_PER_USER} reminders`,
      `A user has at most ${REMINDERS_PER_USER} reminders`,
    );
  const now = call.now();
  const row: ReminderRow = {
    user_id: me.id,
    message_id: message.id,
    cid: message.cid,
    parent_id: message.parent_id,
    remind_at: remindAt,
    told: 0,
    created_at: now,
    updated_at: now,
  };
  reminders.insert(db, row);
  publishReminder(call, "reminder.created", row);
  return { reminder: view(call, me, row) };
}

/** Without `remind_at` nothing changes; null makes the reminder a bookmark; a new time is notified again. */
export function updateReminder(call: RouteCall): Reply<"updateReminder"> {
  const { row: message, permissions } = messageFor(call);
  const me = actor(call);
  const row = ownReminder(call, me, message.id);
  requireFeature(permissions, "user_message_reminders", "message reminders");
  if (call.body.remind_at === undefined) return { reminder: view(call, me, row) };
  const remindAt = readTime(call);
  const after = reminders.update(call.db, row, { remind_at: remindAt, told: 0, updated_at: call.now() });
  publishReminder(call, "reminder.updated", after);
  return { reminder: view(call, me, after) };
}

/** Works even when the feature was turned off, so that existing reminders can be removed. */
export function deleteReminder(call: RouteCall): Reply<"deleteReminder"> {
  const { row: message } = messageFor(call);
  const me = actor(call, call.query);
  const row = ownReminder(call, me, message.id);
  publishReminder(call, "reminder.deleted", row);
  reminders.remove(call.db, { user_id: me.id, message_id: message.id });
  return {};
}

/** The caller's reminders in channels that the caller may still read. */
export function queryReminders(call: RouteCall): Reply<"queryReminders"> {
  const { body, db } = call;
  const me = actor(call);
  const check = new BodyReader(body);
  const listing = readListing(check, body, REMINDER_LIST, me.id);
  const { offset } = check.read({ offset: reminderBodies.queryReminders.offset });
  const { cursor } = listing;
  if (cursor && offset > 0) check.fail("offset", `cannot be given together with ${cursor.side}`);
  check.done();
  const { rows, ...cursors } = listingPage(db, { ...listing, offset }, readableChannel(call, me.id));
  return { reminders: fullReminders(viewContext(db, call.emit, call.now(), me.id), rows), ...cursors };
}
