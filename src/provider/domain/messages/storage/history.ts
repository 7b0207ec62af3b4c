/** Earlier versions of messages: rows and their list. */
import { messageBodies } from "../../../../wire/bodies/messages.ts";
import type { Database } from "../../../base/database.ts";
import { ONE_OF, DATE_RANGE, textField, timeField } from "../../query/filter-fields.ts";
import { ownEntry, type ListDefinition } from "../../query/listing.ts";

export interface HistoryRow {
  message_id: string;
  updated_at: number;
  updated_by: string;
  text: string;
  data: string;
  is_deleted: number;
}

export function insertVersion(db: Database, version: Omit<HistoryRow, "is_deleted">): void {
  db.run(
    `INSERT INTO message_history (message_id, updated_at, updated_by, text, data)
     VALUES (:message_id, :updated_at, :updated_by, :text, :data)`,
    version,
  );
}

export const HISTORY_LIST: ListDefinition<HistoryRow> = {
  name: "history",
  from: "message_history h JOIN messages m ON m.id = h.message_id",
  columns: "h.*, (m.type = 'deleted') AS is_deleted",
  fields: ownEntry({
    message_id: textField("h.message_id", ONE_OF),
    message_updated_by_id: textField("h.updated_by", ONE_OF),
    message_updated_at: timeField("h.updated_at", DATE_RANGE),
  }),
  orders: ownEntry({
    message_updated_at: "h.updated_at",
    message_id: "h.message_id",
    message_updated_by_id: "h.updated_by",
  }),
  fallback: [{ expression: "h.updated_at", direction: -1 }],
  tie: { expression: "h.seq", direction: -1 },
  limit: messageBodies.queryMessageHistory.limit,
};
