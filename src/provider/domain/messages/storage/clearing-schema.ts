/** The view that hides messages being erased, and the table of where they are. */

/*
 * A truncated channel may have held a million messages: to erase them takes minutes. From the moment of the truncation
 * nobody sees them, because everything reads the view `messages`; their rows go in steps. Only what writes names the
 * table. A reply goes with its parent, however new it is.
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

/** What follows the messages: the channel that was deleted with them, and messages of users that go the same way. */
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
