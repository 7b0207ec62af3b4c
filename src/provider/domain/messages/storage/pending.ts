/** Pending messages as they are stored, apart from all others. */
import type { Database } from "../../../store/database.ts";
import { findMessage } from "./rows.ts";
import type { NewMessage } from "./new-message.ts";

export type Metadata = Record<string, string>;

export interface PendingRow {
  id: string;
  cid: string;
  user_id: string;
  created_at: number;
  message: string;
  metadata: string | null;
}

/** The JSON of `message`: the parent is looked up again when it is shown or committed. */
export type Stored = Omit<NewMessage, "parent"> & { parentId?: string };

export const findPending = (db: Database, id: string): PendingRow | undefined =>
  db.get<PendingRow>("SELECT * FROM pending_messages WHERE id = ?", id);

export function toStore(row: PendingRow, db: Database): NewMessage {
  const { parentId, ...message } = JSON.parse(row.message) as Stored;
  const parent = parentId === undefined ? undefined : findMessage(db, parentId);
  return parent ? { ...message, parent } : message;
}

export const metadataOf = (row: PendingRow): { metadata?: Metadata } =>
  row.metadata === null ? {} : { metadata: JSON.parse(row.metadata) as Metadata };
