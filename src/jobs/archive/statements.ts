/** The statements for writing into an archive. */
import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Whether two columns with addresses name one file: the query of an address may only be a signature that expires. */
export const sameFile = (one: string, other: string): string =>
  `substr(${one}, 1, instr(${one} || '?', '?') - 1) IS substr(${other}, 1, instr(${other} || '?', '?') - 1)`;
const SAME_FILE = sameFile("attachments.url", "excluded.url");

const SQL = {
  channel: `INSERT INTO channels VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT(cid) DO UPDATE SET name = excluded.name, raw = excluded.raw, seen_at = excluded.seen_at`,
  selectChannel: `SELECT raw FROM channels WHERE cid = ?`,
  user: `INSERT INTO users VALUES (?, ?, ?, ?)
    ON CONFLICT(id) DO UPDATE SET name = excluded.name, updated_at = excluded.updated_at, raw = excluded.raw
    WHERE excluded.updated_at >= users.updated_at`,
  member: `INSERT OR REPLACE INTO members VALUES (?, ?, ?, ?)`,
  deleteFormerMembers: `DELETE FROM members WHERE cid = ? AND run < ?`,
  read: `INSERT OR REPLACE INTO reads VALUES (?, ?, ?, ?)`,
  message: `INSERT INTO messages(id, cid, parent_id, user_id, type, text, at, updated_at, gone_at, run, raw, seen_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT(id) DO UPDATE SET user_id = excluded.user_id, type = excluded.type, text = excluded.text,
      updated_at = excluded.updated_at, gone_at = excluded.gone_at, run = excluded.run, raw = excluded.raw, seen_at = excluded.seen_at`,
  deleteReactions: `DELETE FROM reactions WHERE message_id = ?`,
  reaction: `INSERT OR REPLACE INTO reactions VALUES (?, ?, ?, ?)`,
  poll: `INSERT OR REPLACE INTO polls VALUES (?, ?, ?)`,
  deleteVotes: `DELETE FROM votes WHERE poll_id = ?`,
  vote: `INSERT OR REPLACE INTO votes VALUES (?, ?, ?)`,
  attachment: `INSERT INTO attachments VALUES (?, ?, ?, ?, ?, NULL, ?, NULL)
    ON CONFLICT(message_id, n) DO UPDATE SET kind = excluded.kind, name = excluded.name, url = excluded.url,
      hash = CASE WHEN ${SAME_FILE} THEN attachments.hash END,
      state = CASE WHEN attachments.hash IS NOT NULL AND ${SAME_FILE} THEN attachments.state ELSE excluded.state END`,
  deleteExtraAttachments: `DELETE FROM attachments WHERE message_id = ? AND n >= ?`,
  checkpoint: `INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?, ?, ?)`,
  selectCheckpoint: `SELECT * FROM checkpoints WHERE cid = ? AND part = ?`,
  deleteCheckpoint: `DELETE FROM checkpoints WHERE cid = ? AND part = ?`,
  gap: `INSERT OR REPLACE INTO gaps(cid, part, after, reason, at, raw) VALUES (?, ?, ?, ?, ?, ?)`,
  deleteGap: `DELETE FROM gaps WHERE cid = ? AND part = ?`,
  // A message that is there, though it cannot be read.
  seeUnread: `UPDATE messages SET run = ? WHERE id = ?`,
  // `after` is the message that the item is, or belongs to.
  deleteReadGaps: `DELETE FROM gaps WHERE raw IS NOT NULL AND at < ? AND (after IS NULL OR after IN (SELECT id FROM messages WHERE run = ?))`,
  markMessagesGone: `UPDATE messages SET gone_at = ?1 WHERE cid = ?2 AND parent_id IS NULL AND at >= ?3 AND at <= ?4 AND run < ?5 AND gone_at IS NULL`,
  markAllGone: `UPDATE messages SET gone_at = ?1 WHERE cid = ?2 AND at <= ?3 AND run < ?4 AND gone_at IS NULL`,
  markMessageGone: `UPDATE messages SET gone_at = ?1 WHERE id = ?2 AND gone_at IS NULL`,
  markRepliesGone: `UPDATE messages SET gone_at = ?1 WHERE parent_id = ?2 AND run < ?3 AND gone_at IS NULL`,
  markOrphansGone: `UPDATE messages SET gone_at = ?1 WHERE cid = ?2 AND parent_id IN (SELECT id FROM messages WHERE cid = ?2 AND gone_at IS NOT NULL)
    AND run < ?3 AND gone_at IS NULL`,
  unseenParents: `SELECT DISTINCT parent_id FROM messages WHERE cid = ? AND parent_id IS NOT NULL AND at >= ? AND run < ? AND gone_at IS NULL`,
  unseenReplies: `SELECT id FROM messages WHERE parent_id = ? AND run < ? AND gone_at IS NULL`,
  hasReplies: `SELECT 1 FROM messages WHERE parent_id = ? AND gone_at IS NULL LIMIT 1`,
  messageState: `SELECT run FROM messages WHERE id = ?`,
} as const;

type Name = keyof typeof SQL;

/** Prepares each statement on first use. */
export function statements(db: DatabaseSync): (name: Name) => StatementSync {
  const prepared = new Map<Name, StatementSync>();
  return (name) => {
    let statement = prepared.get(name);
    if (!statement) prepared.set(name, (statement = db.prepare(SQL[name])));
    return statement;
  };
}
