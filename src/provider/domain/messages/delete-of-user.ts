/** Deleting all messages of a user, everywhere or in one channel (messages.md §7.1). */
import type { Call } from "../../handler.ts";
import { eraseRow, markDeleted } from "./delete.ts";
import type { MessageRow } from "./rows.ts";
import { looking } from "./view.ts";

export type HowToDelete = "soft" | "pruning" | "hard";

/** `pruning` leaves nothing but the place: no words, no data, no reactions. */
function prune(call: Call, id: string): void {
  const { db } = call;
  db.run("DELETE FROM reactions WHERE message_id = ?", id);
  db.run("DELETE FROM message_history WHERE message_id = ?", id);
  db.run(
    "UPDATE messages SET text = '', data = '{}', reactions = NULL, quoted_id = NULL, poll_id = NULL WHERE id = ?",
    id,
  );
}

/**
 * Deletes the user's messages in every channel, or in `cid` only, and tells it once: the watchers of each channel
 * concerned, and the user's own connections when all channels were meant. Those already deleted stay as they are,
 * except that `pruning` empties and `hard` removes them too. `at` (whole microseconds) becomes `deleted_at`.
 * Answers how many messages changed.
 */
export function deleteMessagesOf(
  call: Call,
  userId: string,
  how: HowToDelete,
  cid?: string,
  at = call.now(),
): number {
  const { db, emit } = call;
  const rows =
    cid === undefined
      ? db.all<MessageRow>("SELECT * FROM messages WHERE user_id = ? ORDER BY created_at", userId)
      : db.all<MessageRow>(
          "SELECT * FROM messages WHERE user_id = ? AND cid = ? ORDER BY created_at",
          userId,
          cid,
        );
  db.run("DELETE FROM pending_messages WHERE user_id = ?1 AND (?2 IS NULL OR cid = ?2)", userId, cid ?? null);
  const concerned = new Set<string>();
  let changed = 0;
  for (const row of rows) {
    if (how === "soft" && row.type === "deleted") continue;
    // a reply of one's own under a message of one's own is gone with it
    if (how === "hard" && !db.get("SELECT 1 FROM messages WHERE id = ?", row.id)) continue;
    if (how === "hard") eraseRow(call, row, at);
    else {
      if (row.type !== "deleted") markDeleted(call, row, at);
      if (how === "pruning") prune(call, row.id);
    }
    concerned.add(row.cid);
    changed++;
  }
  const { people } = looking(db, emit, at);
  const event = {
    type: "user.messages.deleted",
    user: people.get(userId),
    soft_delete: how !== "hard",
    hard_delete: how === "hard",
  };
  for (const one of concerned) emit.watchers(one, event);
  if (cid === undefined) emit.user(userId, event);
  return changed;
}
