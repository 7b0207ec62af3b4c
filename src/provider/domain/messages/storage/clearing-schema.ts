/** The view that hides messages being erased, and the tables of pending erasures. */

/*
 * A truncated channel may have a million messages, which take minutes to erase. They are invisible from the moment of the
 * truncation, because all reads use the view `messages`; the rows are deleted in steps. Only writes use the table itself.
 * A reply is erased with its parent, however new it is.
 */
export const clearingSchema = `
CREATE TABLE clearings (
  cid TEXT NOT NULL,
  -- messages of the channel up to and including this moment are gone
  upto INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (cid, upto)
) STRICT, WITHOUT ROWID;
ALTER TABLE messages RENAME TO message_rows;
CREATE VIEW messages AS SELECT m.* FROM message_rows m
  WHERE NOT EXISTS (SELECT 1 FROM clearings g WHERE g.cid = m.cid AND m.created_at <= g.upto)
  AND (m.parent_id IS NULL OR NOT EXISTS (SELECT 1 FROM clearings g CROSS JOIN message_rows p
    ON p.id = m.parent_id AND p.created_at <= g.upto WHERE g.cid = m.cid));
CREATE INDEX threads_unread_in ON threads (cid) WHERE unread > 0;
CREATE INDEX deleted_for_me_of ON deleted_for_me (cid, message_id);
`;

/** Additions: erasing the channel after its messages, and erasing messages of users in steps. */
export const erasingSchema = `
-- 1: the channel goes with its messages, unless it was made again meanwhile
ALTER TABLE clearings ADD COLUMN erase INTEGER NOT NULL DEFAULT 0;
CREATE TABLE user_clearings (
  user_id TEXT NOT NULL,
  -- '': in every channel
  cid TEXT NOT NULL,
  how TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (user_id, cid, how)
) STRICT, WITHOUT ROWID;
`;
