/** The table of messages that users deleted only for themselves. */
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT } from "../../../store/table.ts";

export const ownDeletions = table("deleted_for_me", {
  user_id: TEXT.key,
  cid: TEXT.key,
  message_id: TEXT.key,
  created_at: INTEGER,
});

/** Messages of a channel that the user deleted, oldest deletion first. */
export const deletedForMe = (db: Database, userId: string, cid: string): string[] =>
  ownDeletions.values(db, "message_id", { user_id: userId, cid }, { by: ["created_at"] });
