/** Earlier versions of messages: rows and their list. */
import { messageBodies } from "../../../../wire/bodies/messages.ts";
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";
import { ONE_OF, DATE_RANGE, textField, timeField } from "../../query/filter-fields.ts";
import { ownEntry, type ListDefinition } from "../../query/listing.ts";

export const messageHistory = table(
  "message_history",
  {
    seq: INTEGER.serial,
    message_id: TEXT,
    updated_at: INTEGER,
    updated_by: TEXT,
    text: TEXT,
    /** JSON of the attachments and the custom fields. */
    data: TEXT,
  },
  {
    rowid: true,
    indexes: {
      message_history_of: "(message_id, updated_at)",
      message_history_by: "(updated_by, updated_at)",
      message_history_at: "(updated_at)",
    },
  },
);
export type HistoryRow = RowOf<typeof messageHistory> & { is_deleted: number };

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
  fallback: [{ expression: "h.updated_at", direction: -1, notNull: true }],
  tie: { expression: "h.seq", direction: -1, notNull: true },
  limit: messageBodies.queryMessageHistory.limit,
};
