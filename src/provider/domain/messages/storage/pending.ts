/** Stored pending messages, in a separate table. */
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";
import { findMessage } from "./rows.ts";
import type { NewMessage, StoredNewMessage } from "./new-message.ts";

export type Metadata = Record<string, string>;

export const pendingMessages = table(
  "pending_messages",
  {
    id: TEXT.key,
    cid: TEXT,
    user_id: TEXT,
    created_at: INTEGER,
    /** JSON of what is stored when it is committed. */
    message: TEXT,
    /** JSON. */
    metadata: TEXT.null,
  },
  { rowid: true, indexes: { pending_messages_of: "(cid, user_id, created_at)" } },
);
export type PendingRow = RowOf<typeof pendingMessages>;

export function pendingMessage(row: PendingRow, db: Database): NewMessage {
  const { parentId, ...message } = JSON.parse(row.message) as StoredNewMessage;
  const parent = parentId === undefined ? undefined : findMessage(db, parentId);
  return parent ? { ...message, parent } : message;
}

export const metadataOf = (row: PendingRow): { metadata?: Metadata } =>
  row.metadata === null ? {} : { metadata: JSON.parse(row.metadata) as Metadata };
