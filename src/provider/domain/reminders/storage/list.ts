/** The list of a user's reminders: its filter and sort fields (RE-4), and one page. */
import { reminderBodies } from "../../../../wire/bodies/reminders.ts";
import type { Database } from "../../../base/database.ts";
import { listPage, type ListPage } from "../../query/cursor.ts";
import { ONE_OF, DATE_RANGE, textField, timeField, type Sql } from "../../query/filter-fields.ts";
import { joinConditions } from "../../query/filter.ts";
import { ownEntry, type Listing, type ListDefinition } from "../../query/listing.ts";
import type { ReminderRow } from "./rows.ts";

export const REMINDER_LIST: ListDefinition = {
  name: "reminders",
  fields: ownEntry({
    message_id: textField("r.message_id", ONE_OF),
    channel_cid: textField("r.cid", ONE_OF),
    channel_id: textField("substr(r.cid, instr(r.cid, ':') + 1)", ONE_OF),
    remind_at: timeField("r.remind_at", DATE_RANGE),
    created_at: timeField("r.created_at", DATE_RANGE),
  }),
  orders: ownEntry({ remind_at: "r.remind_at", created_at: "r.created_at" }),
  // Bookmarks have no time, and NULL sorts last here.
  fallback: [{ expression: "r.remind_at", direction: 1 }],
  tie: { expression: "r.message_id", direction: 1 },
  limit: reminderBodies.queryReminders.limit,
};

/** `visible`: a condition on channel `c`. */
export function reminderPage(
  db: Database,
  userId: string,
  visible: Sql,
  listing: Listing & { offset: number },
): ListPage<ReminderRow> {
  return listPage<ReminderRow>(db, {
    ...listing,
    columns: "r.*",
    from: "reminders r JOIN channels c ON c.cid = r.cid",
    where: joinConditions([{ text: "r.user_id = ?", values: [userId] }, visible, listing.where], " AND "),
  });
}
