/** Tables and columns that messages added after the first schema. */

/** Makes history versions name their author; before, they named who replaced them. */
export const historyAuthorsSchema = `
CREATE TEMP TABLE history_authors AS
  SELECT h.seq, coalesce(
    (SELECT p.updated_by FROM message_history p WHERE p.message_id = h.message_id AND p.seq < h.seq ORDER BY p.seq DESC LIMIT 1),
    (SELECT m.user_id FROM messages m WHERE m.id = h.message_id), h.updated_by) AS author
  FROM message_history h;
UPDATE messages SET data = json_set(data, '$.edited_by', (SELECT h.updated_by FROM message_history h
    WHERE h.message_id = messages.id ORDER BY h.seq DESC LIMIT 1))
  WHERE id IN (SELECT message_id FROM message_history)
    AND user_id <> (SELECT h.updated_by FROM message_history h WHERE h.message_id = messages.id ORDER BY h.seq DESC LIMIT 1);
UPDATE message_history SET updated_by = (SELECT a.author FROM history_authors a WHERE a.seq = message_history.seq);
DROP TABLE history_authors;
`;

export const messagesSchema = `
-- the type a softly deleted message had, for its undeletion
ALTER TABLE messages ADD COLUMN was TEXT;

-- the content before each update, until the message is gone for good
CREATE TABLE message_history (
  seq INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  text TEXT NOT NULL,
  -- JSON: attachments and the custom fields
  data TEXT NOT NULL
) STRICT;
CREATE INDEX message_history_of ON message_history (message_id, updated_at);
CREATE INDEX message_history_by ON message_history (updated_by, updated_at);
CREATE INDEX message_history_at ON message_history (updated_at);
CREATE TRIGGER message_history_goes AFTER DELETE ON messages BEGIN
  DELETE FROM message_history WHERE message_id = OLD.id;
END;

-- messages that nobody but their authors know of; apart, so that no query over messages can find one
CREATE TABLE pending_messages (
  id TEXT PRIMARY KEY,
  cid TEXT NOT NULL,
  user_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- JSON: what will be stored when it is committed
  message TEXT NOT NULL,
  -- JSON of its metadata, NULL without any
  metadata TEXT
) STRICT;
CREATE INDEX pending_messages_of ON pending_messages (cid, user_id, created_at);
CREATE TRIGGER pending_messages_go AFTER DELETE ON channels BEGIN
  DELETE FROM pending_messages WHERE cid = OLD.cid;
END;
CREATE TRIGGER pending_messages_end AFTER UPDATE OF deleted_at ON channels WHEN NEW.deleted_at IS NOT NULL BEGIN
  DELETE FROM pending_messages WHERE cid = OLD.cid;
END;
`;
