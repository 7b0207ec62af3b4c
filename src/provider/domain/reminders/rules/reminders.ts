/** Routes of message reminders: one of each user on each message, with a time or as a bookmark (specification/reminders.md). */
import type { Reminder } from "../../../../wire/reminder.ts";
import { reminderBodies } from "../../../../wire/bodies/reminders.ts";
import { REMINDERS_PER_USER } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { requireFeature } from "../../access/view/policy.ts";
import { readableChannel } from "../../access/view/readable.ts";
import { actor } from "../../users/rules/acting.ts";
import { BodyReader, invalidField } from "../../validation/check.ts";
import { messageFor } from "../../messages/view/reading.ts";
import { viewContext } from "../../messages/view/messages.ts";
import { listPage } from "../../query/cursor.ts";
import { textField, timeField, type Field } from "../../query/filter-fields.ts";
import { join } from "../../query/filter.ts";
import { named, readListing } from "../../query/listing.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import type { ReminderRow } from "../storage/rows.ts";
import { fullReminders } from "../view/reminders.ts";
import { publishReminder } from "./events.ts";

const view = (call: RouteCall, me: UserRow, row: ReminderRow): Reminder =>
  fullReminders(viewContext(call.db, call.emit, call.now(), me.id), [row])[0]!;

const find = (call: RouteCall, me: UserRow, messageId: string): ReminderRow | undefined =>
  call.db.get<ReminderRow>("SELECT * FROM reminders WHERE user_id = ? AND message_id = ?", me.id, messageId);

/** RE-3. */
function mine(call: RouteCall, me: UserRow, messageId: string): ReminderRow {
  const row = find(call, me, messageId);
  if (!row) throw new ApiProblem(16, `There is no reminder of message ${messageId}`);
  return row;
}

/** RE-2: null or absent is a bookmark, a time must be in the future. */
function readTime(call: RouteCall): number | null {
  const check = new BodyReader(call.body);
  const { remind_at: at = null } = check.read(reminderBodies.createReminder);
  if (at !== null && at <= call.now()) check.fail("remind_at", "must be in the future");
  check.done();
  return at;
}

export function createReminder(call: RouteCall): Reply<"createReminder"> {
  const { db } = call;
  const { row: message, s } = messageFor(call);
  const me = actor(call);
  requireFeature(s, "user_message_reminders", "message reminders");
  const at = readTime(call);
  if (message.type === "deleted") throw invalidField("id", "names a deleted message");
  if (find(call, me, message.id))
    throw new ApiProblem(4, `There is a reminder of message ${message.id} already`, {
      fields: { id: "has a reminder already" },
    });
  const { n } = db.get<{ n: number }>("SELECT count(*) AS n FROM reminders WHERE user_id = ?", me.id)!;
  if (n >= REMINDERS_PER_USER)
    throw new ApiProblem(4, `A user has at most ${REMINDERS_PER_USER} reminders`, {
      fields: { id: `would be one more than ${REMINDERS_PER_USER} reminders` },
    });
  const now = call.now();
  const row: ReminderRow = {
    user_id: me.id,
    message_id: message.id,
    cid: message.cid,
    parent_id: message.parent_id,
    remind_at: at,
    told: 0,
    created_at: now,
    updated_at: now,
  };
  db.run(
    `INSERT INTO reminders (user_id, message_id, cid, parent_id, remind_at, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    row.user_id,
    row.message_id,
    row.cid,
    row.parent_id,
    row.remind_at,
    now,
    now,
  );
  publishReminder(call, "reminder.created", row);
  return { reminder: view(call, me, row) };
}

/** Without the key nothing changes; null makes it a bookmark; a new time is told anew. */
export function updateReminder(call: RouteCall): Reply<"updateReminder"> {
  const { row: message, s } = messageFor(call);
  const me = actor(call);
  const row = mine(call, me, message.id);
  requireFeature(s, "user_message_reminders", "message reminders");
  if (call.body.remind_at === undefined) return { reminder: view(call, me, row) };
  const at = readTime(call);
  const after: ReminderRow = { ...row, remind_at: at, told: 0, updated_at: call.now() };
  call.db.run(
    "UPDATE reminders SET remind_at = ?, told = 0, updated_at = ? WHERE user_id = ? AND message_id = ?",
    at,
    after.updated_at,
    me.id,
    message.id,
  );
  publishReminder(call, "reminder.updated", after);
  return { reminder: view(call, me, after) };
}

/** Also where the feature was turned off meanwhile: what is there can be removed. */
export function deleteReminder(call: RouteCall): Reply<"deleteReminder"> {
  const { row: message } = messageFor(call);
  const me = actor(call, call.query);
  const row = mine(call, me, message.id);
  publishReminder(call, "reminder.deleted", row);
  call.db.run("DELETE FROM reminders WHERE user_id = ? AND message_id = ?", me.id, message.id);
  return {};
}

const TIMES = ["$eq", "$gt", "$lt", "$gte", "$lte"] as const;
/** RE-4. */
const FIELDS: Record<string, Field> = {
  message_id: textField("r.message_id", ["$eq", "$in"]),
  channel_cid: textField("r.cid", ["$eq", "$in"]),
  channel_id: textField("substr(r.cid, instr(r.cid, ':') + 1)", ["$eq", "$in"]),
  remind_at: timeField("r.remind_at", TIMES),
  created_at: timeField("r.created_at", TIMES),
};
const SORTS = { remind_at: "r.remind_at", created_at: "r.created_at" };

/** The caller's reminders in the channels it may still read; bookmarks come last. */
export function queryReminders(call: RouteCall): Reply<"queryReminders"> {
  const { body, db } = call;
  const me = actor(call);
  const check = new BodyReader(body);
  const listing = readListing(check, body, {
    of: ["reminders", me.id],
    fields: named(FIELDS),
    orders: named(SORTS),
    fallback: [{ expression: "r.remind_at", direction: 1 }],
    tie: { expression: "r.message_id", direction: 1 },
    limit: reminderBodies.queryReminders.limit,
  });
  const { offset } = check.read({ offset: reminderBodies.queryReminders.offset });
  const { cursor } = listing;
  if (cursor && offset > 0) check.fail("offset", `cannot be given together with ${cursor.side}`);
  check.done();
  const mine = { text: "r.user_id = ?", values: [me.id] };
  const { rows, ...cursors } = listPage<ReminderRow>(db, {
    ...listing,
    columns: "r.*",
    from: "reminders r JOIN channels c ON c.cid = r.cid",
    where: join([mine, readableChannel(call, me.id), listing.where], " AND "),
    offset,
  });
  return { reminders: fullReminders(viewContext(db, call.emit, call.now(), me.id), rows), ...cursors };
}
