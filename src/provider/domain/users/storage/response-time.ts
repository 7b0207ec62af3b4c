/** How long a user takes to answer: measured in channels of two while the app wants it (specification/users.md §2, `avg_response_time`). */
import { readApp } from "../../../store/app-settings.ts";
import type { Database } from "../../../base/database.ts";

/** So many messages are looked back at for the one that is answered. */
const LOOK_BACK = 100;

/**
 * A message of `authorId` at `at` (whole microseconds): when the other one wrote last, it answers the first message since
 * the author's own. Call it once the message is stored.
 */
export function noteResponse(
  db: Database,
  channel: { cid: string; member_count: number },
  authorId: string,
  at: number,
): void {
  if (channel.member_count !== 2 || !readApp(db).user_response_time_enabled) return;
  let asked: number | undefined;
  for (const before of db.all<{ user_id: string; created_at: number }>(
    `SELECT user_id, created_at FROM messages WHERE cid = ? AND created_at < ? ORDER BY created_at DESC LIMIT ${LOOK_BACK}`,
    channel.cid,
    at,
  )) {
    if (before.user_id === authorId) break;
    asked = before.created_at;
  }
  if (asked === undefined) return;
  db.run(
    "UPDATE users SET response_count = response_count + 1, response_seconds = response_seconds + ? WHERE id = ?",
    Math.round((at - asked) / 1_000_000),
    authorId,
  );
}
