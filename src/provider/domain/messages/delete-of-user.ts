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
  db.run("DELETE FROM flags WHERE message_id = ?1 AND message_id <> ''", id);
  db.run("DELETE FROM flag_reports WHERE message_id = ?", id);
  db.run(
    "UPDATE message_rows SET text = '', data = '{}', reactions = NULL, quoted_id = NULL, poll_id = NULL WHERE id = ?",
    id,
  );
}

/** What is left to do about a user's messages: those not yet deleted the asked way. */
const LEFT: Readonly<Record<HowToDelete, string>> = {
  soft: "type <> 'deleted'",
  pruning: "(type <> 'deleted' OR text <> '' OR data <> '{}' OR reactions IS NOT NULL)",
  hard: "1",
};
/** Messages of one bounded step. */
const PART = 1000;

/**
 * Deletes at most a thousand messages of the user, oldest first, in every channel or in `cid` only. `at` (whole
 * microseconds) becomes `deleted_at`. Answers the channels concerned; none when nothing was left.
 */
export function deletePartOf(
  call: Call,
  userId: string,
  how: HowToDelete,
  at: number,
  cid?: string,
): string[] {
  const { db } = call;
  db.run("DELETE FROM pending_messages WHERE user_id = ?1 AND (?2 IS NULL OR cid = ?2)", userId, cid ?? null);
  const rows = db.all<MessageRow>(
    `SELECT * FROM messages WHERE user_id = ? AND ${LEFT[how]} ${cid === undefined ? "" : "AND cid = ?"}
     ORDER BY created_at LIMIT ${PART}`,
    userId,
    ...(cid === undefined ? [] : [cid]),
  );
  const concerned = new Set<string>();
  for (const row of rows) {
    concerned.add(row.cid);
    // a reply of one's own under a message of one's own is gone with it
    if (how === "hard" && !db.get("SELECT 1 FROM messages WHERE id = ?", row.id)) continue;
    if (how === "hard") eraseRow(call, row, at);
    else {
      if (row.type !== "deleted") markDeleted(call, row, at);
      if (how === "pruning") prune(call, row.id);
    }
  }
  return [...concerned];
}

/** `user.messages.deleted`: to the watchers of each channel; `everywhere`: to the user's own connections too. */
export function tellDeletedOf(
  call: Call,
  userId: string,
  how: HowToDelete,
  cids: Iterable<string>,
  everywhere: boolean,
): void {
  const { people } = looking(call.db, call.emit, call.now());
  const event = {
    type: "user.messages.deleted",
    user: people.get(userId),
    soft_delete: how !== "hard",
    hard_delete: how === "hard",
  };
  for (const cid of cids) call.emit.watchers(cid, event);
  if (everywhere) call.emit.user(userId, event);
}

/**
 * Deletes the user's messages in every channel, or in `cid` only, and tells it once: the watchers of each channel
 * concerned, and the user's own connections when all channels were meant. Those already deleted stay as they are,
 * except that `pruning` empties and `hard` removes them too. Jobs do the same in parts.
 */
export function deleteMessagesOf(
  call: Call,
  userId: string,
  how: HowToDelete,
  cid?: string,
  at = call.now(),
): void {
  const concerned = new Set<string>();
  for (let part = deletePartOf(call, userId, how, at, cid); part.length > 0;) {
    for (const one of part) concerned.add(one);
    part = deletePartOf(call, userId, how, at, cid);
  }
  tellDeletedOf(call, userId, how, concerned, cid === undefined);
}
