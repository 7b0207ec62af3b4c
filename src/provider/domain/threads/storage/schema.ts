/** Tables and columns that threads added after the first schema. */

/** The creator of a thread is the user who replied first. */
export const threadStartersSchema = `
UPDATE thread_heads SET created_by = coalesce((SELECT m.user_id FROM messages m
  WHERE m.parent_id = thread_heads.parent_id AND m.shadowed = 0 ORDER BY m.created_at, m.id LIMIT 1), created_by);
DROP TRIGGER thread_grows;
CREATE TRIGGER thread_grows AFTER INSERT ON messages WHEN NEW.parent_id IS NOT NULL AND NEW.shadowed = 0 BEGIN
  INSERT INTO thread_heads (parent_id, cid, created_by, created_at, updated_at, last_message_at)
    SELECT id, cid, NEW.user_id, NEW.created_at, NEW.created_at, NEW.created_at FROM messages WHERE id = NEW.parent_id
    ON CONFLICT (parent_id) DO UPDATE SET
      last_message_at = excluded.last_message_at, updated_at = excluded.updated_at;
END;
`;

export const threadsSchema = `
ALTER TABLE threads ADD COLUMN last_written INTEGER;
-- when the participant left the channel; who replies again is back
ALTER TABLE threads ADD COLUMN left_at INTEGER;
CREATE INDEX threads_of_user ON threads (user_id, parent_id);

-- one row for each message that has replies, deleted ones included
CREATE TABLE thread_heads (
  parent_id TEXT PRIMARY KEY,
  cid TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- of the newest living reply
  last_message_at INTEGER,
  title TEXT NOT NULL DEFAULT '',
  data TEXT NOT NULL DEFAULT '{}'
) STRICT, WITHOUT ROWID;
CREATE INDEX thread_heads_of_channel ON thread_heads (cid, last_message_at);

INSERT INTO thread_heads (parent_id, cid, created_by, created_at, updated_at, last_message_at)
  SELECT r.parent_id, p.cid, p.user_id, min(r.created_at), max(r.created_at),
    max(CASE WHEN r.type <> 'deleted' THEN r.created_at END)
  FROM messages r JOIN messages p ON p.id = r.parent_id GROUP BY r.parent_id;
UPDATE threads SET last_written = (SELECT max(created_at) FROM messages m
  WHERE m.parent_id = threads.parent_id AND m.user_id = threads.user_id);

-- here and not in the code because replies go in many ways: alone, with their parent, their author, their channel;
-- the column shadowed comes with moderation: what nobody else sees moves no thread
CREATE TRIGGER thread_grows AFTER INSERT ON messages WHEN NEW.parent_id IS NOT NULL AND NEW.shadowed = 0 BEGIN
  INSERT INTO thread_heads (parent_id, cid, created_by, created_at, updated_at, last_message_at)
    SELECT id, cid, user_id, NEW.created_at, NEW.created_at, NEW.created_at FROM messages WHERE id = NEW.parent_id
    ON CONFLICT (parent_id) DO UPDATE SET
      last_message_at = excluded.last_message_at, updated_at = excluded.updated_at;
END;
CREATE TRIGGER thread_changes AFTER UPDATE OF type ON messages WHEN NEW.parent_id IS NOT NULL BEGIN
  UPDATE thread_heads SET updated_at = max(updated_at, NEW.updated_at), last_message_at =
    (SELECT max(created_at) FROM messages WHERE parent_id = NEW.parent_id AND type <> 'deleted' AND shadowed = 0)
    WHERE parent_id = NEW.parent_id;
END;
CREATE TRIGGER thread_shrinks AFTER DELETE ON messages WHEN OLD.parent_id IS NOT NULL BEGIN
  UPDATE thread_heads SET last_message_at =
    (SELECT max(created_at) FROM messages WHERE parent_id = OLD.parent_id AND type <> 'deleted' AND shadowed = 0)
    WHERE parent_id = OLD.parent_id;
  DELETE FROM threads WHERE parent_id = OLD.parent_id
    AND NOT EXISTS (SELECT 1 FROM messages WHERE parent_id = OLD.parent_id AND shadowed = 0);
  DELETE FROM thread_heads WHERE parent_id = OLD.parent_id
    AND NOT EXISTS (SELECT 1 FROM messages WHERE parent_id = OLD.parent_id AND shadowed = 0);
END;
-- who comes back to the channel is back in its threads
CREATE TRIGGER thread_rejoined AFTER INSERT ON members BEGIN
  UPDATE threads SET left_at = NULL WHERE cid = NEW.cid AND user_id = NEW.user_id AND left_at IS NOT NULL;
END;
CREATE TRIGGER thread_ends AFTER DELETE ON messages WHEN OLD.parent_id IS NULL BEGIN
  DELETE FROM thread_heads WHERE parent_id = OLD.id;
END;
`;
