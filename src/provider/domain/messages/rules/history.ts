/** The history of messages: the content before each update, for servers (specification/messages.md §8). */
import { messageBodies } from "../../../../wire/bodies/messages.ts";
import type { MessageHistoryEntry } from "../../../../wire/message.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { BodyReader, isObject, type Fields } from "../../validation/check.ts";
import { listPage } from "../../query/cursor.ts";
import { textField, timeField } from "../../query/filter-fields.ts";
import { named, readListing } from "../../query/listing.ts";
import type { MessageData, MessageRow } from "../storage/rows.ts";

interface HistoryRow {
  message_id: string;
  updated_at: number;
  updated_by: string;
  text: string;
  data: string;
  is_deleted: number;
}

/** Keeps what the message held, and who had written it; `at` is the update's time, whole microseconds. */
export function remember(call: RouteCall, row: MessageRow, at: number): void {
  const { attachments, custom, edited_by } = JSON.parse(row.data) as MessageData;
  call.db.run(
    "INSERT INTO message_history (message_id, updated_at, updated_by, text, data) VALUES (?, ?, ?, ?, ?)",
    row.id,
    at,
    edited_by ?? row.user_id,
    row.text,
    JSON.stringify({ attachments, custom }),
  );
}

function entryOf(row: HistoryRow): MessageHistoryEntry & Fields {
  const { attachments, custom } = JSON.parse(row.data) as MessageData;
  return {
    ...custom,
    message_id: row.message_id,
    message_updated_by_id: row.updated_by,
    message_updated_at: timeFromMicros(row.updated_at),
    text: row.text,
    attachments: attachments ?? [],
    is_deleted: row.is_deleted === 1,
  };
}

const FIELDS = {
  message_id: textField("h.message_id", ["$eq", "$in"]),
  message_updated_by_id: textField("h.updated_by", ["$eq", "$in"]),
  message_updated_at: timeField("h.updated_at", ["$eq", "$gt", "$gte", "$lt", "$lte"]),
};
const COLUMNS = {
  message_updated_at: "h.updated_at",
  message_id: "h.message_id",
  message_updated_by_id: "h.updated_by",
};

export function queryMessageHistory(call: RouteCall): Reply<"queryMessageHistory"> {
  const { body, db } = call;
  const check = new BodyReader(body);
  const { filter } = body;
  if (filter == null) check.fail("filter", "is required");
  else if (isObject(filter) && Object.keys(filter).length === 0)
    check.fail("filter", "must name at least one field");
  const listing = readListing(check, body, {
    of: ["history"],
    fields: named(FIELDS),
    orders: named(COLUMNS),
    fallback: [{ expression: "h.updated_at", direction: -1 }],
    tie: { expression: "h.seq", direction: -1 },
    limit: messageBodies.queryMessageHistory.limit,
  });
  check.done();
  const { rows, ...cursors } = listPage<HistoryRow>(db, {
    ...listing,
    columns: "h.*, (m.type = 'deleted') AS is_deleted",
    from: "message_history h JOIN messages m ON m.id = h.message_id",
  });
  return { message_history: rows.map(entryOf), ...cursors };
}
