/** The statements for writing into an archive. */
import type { DatabaseSync, StatementSync } from "node:sqlite";

const SQL = {
  channel: `INSERT INTO channels VALUES (?, ?, ?, ?, ?)
    ON CONFLICT(cid) DO UPDATE SET name = excluded.name, raw = excluded.raw`,
  user: `INSERT INTO users VALUES (?, ?, ?, ?)
    ON CONFLICT(id) DO UPDATE SET name = excluded.name, updated_at = excluded.updated_at, raw = excluded.raw
    WHERE excluded.updated_at >= users.updated_at`,
  member: `INSERT OR REPLACE INTO members VALUES (?, ?, ?, ?)`,
  deleteFormerMembers: `DELETE FROM members WHERE cid = ? AND run < ?`,
  read: `INSERT OR REPLACE INTO reads VALUES (?, ?, ?, ?)`,
  message: `INSERT INTO messages(id, cid, parent_id, user_id, type, text, at, updated_at, run, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT(id) DO UPDATE SET user_id = excluded.user_id, type = excluded.type, text = excluded.text,
      updated_at = excluded.updated_at, gone_at = NULL, run = excluded.run, raw = excluded.raw`,
  deleteReactions: `DELETE FROM reactions WHERE message_id = ?`,
  reaction: `INSERT OR REPLACE INTO reactions VALUES (?, ?, ?, ?)`,
  poll: `INSERT OR REPLACE INTO polls VALUES (?, ?, ?)`,
  deleteVotes: `DELETE FROM votes WHERE poll_id = ?`,
  vote: `INSERT OR REPLACE INTO votes VALUES (?, ?, ?)`,
  attachment: `INSERT INTO attachments VALUES (?, ?, ?, ?, ?, NULL, ?, NULL)
    ON CONFLICT(message_id, n) DO UPDATE SET kind = excluded.kind, name = excluded.name, url = excluded.url,
      state = CASE WHEN attachments.hash IS NULL THEN excluded.state ELSE attachments.state END`,
  deleteExtraAttachments: `DELETE FROM attachments WHERE message_id = ? AND n >= ?`,
  checkpoint: `INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?, ?, ?)`,
  selectCheckpoint: `SELECT * FROM checkpoints WHERE cid = ? AND part = ?`,
  deleteCheckpoint: `DELETE FROM checkpoints WHERE cid = ? AND part = ?`,
  gap: `INSERT OR REPLACE INTO gaps VALUES (?, ?, ?, ?, ?)`,
  deleteGap: `DELETE FROM gaps WHERE cid = ? AND part = ?`,
  markMessagesGone: `UPDATE messages SET gone_at = ? WHERE cid = ? AND parent_id IS NULL AND at >= ? AND at <= ? AND run < ? AND gone_at IS NULL`,
  markRepliesGone: `UPDATE messages SET gone_at = ? WHERE parent_id = ? AND run < ? AND gone_at IS NULL`,
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
