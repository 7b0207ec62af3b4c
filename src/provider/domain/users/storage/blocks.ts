/** The table of blocks: who has blocked whom. */
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT } from "../../../store/table.ts";

export const blocks = table(
  "blocks",
  { user_id: TEXT.key, blocked_id: TEXT.key, created_at: INTEGER },
  { indexes: { blocks_of_blocked: "(blocked_id, user_id)" } },
);

/** The ids that each user has blocked, oldest first. */
export function blockedBy(db: Database, userIds: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const rows = blocks.list(db, { user_id: userIds }, { by: ["user_id", "created_at", "blocked_id"] });
  for (const { user_id, blocked_id } of rows) found.set(user_id, [...(found.get(user_id) ?? []), blocked_id]);
  return found;
}
