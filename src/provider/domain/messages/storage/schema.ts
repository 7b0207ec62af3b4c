/** Tables and columns that messages added after the first schema. */
import { messageHistory } from "./history.ts";
import { pendingMessages } from "./pending.ts";

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

${messageHistory.create}CREATE TRIGGER message_history_goes AFTER DELETE ON messages BEGIN
  DELETE FROM message_history WHERE message_id = OLD.id;
END;

${pendingMessages.create}CREATE TRIGGER pending_messages_go AFTER DELETE ON channels BEGIN
  DELETE FROM pending_messages WHERE cid = OLD.cid;
END;
CREATE TRIGGER pending_messages_end AFTER UPDATE OF deleted_at ON channels WHEN NEW.deleted_at IS NOT NULL BEGIN
  DELETE FROM pending_messages WHERE cid = OLD.cid;
END;
`;
