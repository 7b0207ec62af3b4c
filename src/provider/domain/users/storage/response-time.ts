/** Measures users' response times in channels of two, while the app has that on (specification/users.md §2, `avg_response_time`). */
import { readApp } from "../../../store/app-settings.ts";
import type { Database } from "../../../base/database.ts";

/** How many earlier messages are searched for the one that is answered. */
const MAX_LOOK_BACK = 100;

/**
 * Measures a message of `authorId` at `sentAt` (whole microseconds): it answers the first message that the other member sent
 * since the author's last. Call it once the message is stored.
 */
export function measureResponse(
  db: Database,
  channel: { cid: string; member_count: number },
  authorId: string,
  sentAt: number,
): void {
  if (channel.member_count !== 2 || !readApp(db).user_response_time_enabled) return;
  let firstMessageAt: number | undefined;
  for (const before of db.all<{ user_id: string; created_at: number }>(
    `SELECT user_id, created_at FROM messages WHERE cid = ? AND created_at < ? ORDER BY created_at DESC LIMIT ${MAX_LOOK_BACK}`,
    channel.cid,
    sentAt,
  )) {
    if (before.user_id === authorId) break;
    firstMessageAt = before.created_at;
  }
  if (firstMessageAt === undefined) return;
  db.run(
    "UPDATE users SET response_count = response_count + 1, response_seconds = response_seconds + ? WHERE id = ?",
    Math.round((sentAt - firstMessageAt) / 1_000_000),
    authorId,
  );
}
