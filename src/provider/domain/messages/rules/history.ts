/** The history of messages: the content before each update, for servers (specification/messages.md §8). */
import type { MessageHistoryEntry } from "../../../../wire/entities/message.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { BodyReader, isObject, type Fields } from "../../validation/check.ts";
import { listingPage, readListing } from "../../query/listing.ts";
import type { MessageData, MessageRow } from "../storage/rows.ts";
import { messageHistory, HISTORY_LIST, type HistoryRow } from "../storage/history.ts";

/** Stores the message's content before an update, and who wrote it; `updatedAt` is the update's time, whole microseconds. */
export function storeVersion(call: RouteCall, row: MessageRow, updatedAt: number): void {
  const { attachments, custom, edited_by } = JSON.parse(row.data) as MessageData;
  messageHistory.insert(call.db, {
    message_id: row.id,
    updated_at: updatedAt,
    updated_by: edited_by ?? row.user_id,
    text: row.text,
    data: JSON.stringify({ attachments, custom }),
  });
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

export function queryMessageHistory(call: RouteCall): Reply<"queryMessageHistory"> {
  const { body, db } = call;
  const check = new BodyReader(body);
  const { filter } = body;
  if (filter == null) check.fail("filter", "is required");
  else if (isObject(filter) && Object.keys(filter).length === 0)
    check.fail("filter", "must name at least one field");
  const listing = readListing(check, body, HISTORY_LIST);
  check.done();
  const { rows, ...cursors } = listingPage(db, listing);
  return { message_history: rows.map(entryOf), ...cursors };
}
