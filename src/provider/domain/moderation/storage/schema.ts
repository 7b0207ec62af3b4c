/** Tables and columns that bans, flags, reports and command previews added after the first schema. */

export const moderationSchema = `
ALTER TABLE members ADD COLUMN shadow_banned INTEGER NOT NULL DEFAULT 0;
-- 1: only its author sees it (specification/moderation.md §2.1); \`restricted\` is then an empty list
ALTER TABLE messages ADD COLUMN shadowed INTEGER NOT NULL DEFAULT 0;

-- the truth about bans; users.banned, members.banned and the like repeat it for who reads those rows
CREATE TABLE bans (
  target_id TEXT NOT NULL,
  -- '' for a ban in the whole app
  cid TEXT NOT NULL,
  banned_by TEXT NOT NULL,
  reason TEXT,
  shadow INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires INTEGER,
  PRIMARY KEY (target_id, cid)
) STRICT, WITHOUT ROWID;
CREATE INDEX bans_by_age ON bans (created_at DESC, target_id, cid);
CREATE INDEX bans_of_channel ON bans (cid);
CREATE INDEX bans_by_end ON bans (expires) WHERE expires IS NOT NULL;

CREATE TABLE future_bans (
  banned_by TEXT NOT NULL,
  target_id TEXT NOT NULL,
  reason TEXT,
  shadow INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires INTEGER,
  PRIMARY KEY (banned_by, target_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX future_bans_by_age ON future_bans (created_at DESC, target_id, banned_by);
CREATE INDEX future_bans_by_end ON future_bans (expires) WHERE expires IS NOT NULL;

-- however somebody comes in, the ban that waits is repeated in the new row
CREATE TRIGGER members_come_banned AFTER INSERT ON members
WHEN EXISTS (SELECT 1 FROM bans WHERE target_id = NEW.user_id AND cid = NEW.cid) BEGIN
  UPDATE members SET (banned, shadow_banned, ban_expires) =
    (SELECT 1 - shadow, shadow, expires FROM bans WHERE target_id = NEW.user_id AND cid = NEW.cid)
  WHERE cid = NEW.cid AND user_id = NEW.user_id;
END;
-- however a channel is made, whom its maker banned from later channels is banned in it
CREATE TRIGGER channels_begin_with_bans AFTER INSERT ON channels BEGIN
  INSERT OR IGNORE INTO bans (target_id, cid, banned_by, reason, shadow, created_at, expires)
    SELECT target_id, NEW.cid, banned_by, reason, shadow, NEW.created_at, expires FROM future_bans
    WHERE banned_by = NEW.created_by AND created_at <= NEW.created_at
      AND (expires IS NULL OR expires > NEW.created_at);
END;
CREATE TRIGGER bans_go_with_channel AFTER DELETE ON channels BEGIN
  DELETE FROM bans WHERE cid = OLD.cid;
END;

CREATE TABLE flags (
  seq INTEGER PRIMARY KEY,
  -- '' when a blocklist flagged
  user_id TEXT NOT NULL,
  -- '' when the user was flagged and no message
  message_id TEXT NOT NULL,
  target_id TEXT NOT NULL,
  cid TEXT,
  reason TEXT,
  custom TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  reviewed_at INTEGER,
  reviewed_by TEXT,
  review_result TEXT
) STRICT;
CREATE UNIQUE INDEX flags_one ON flags (user_id, message_id, target_id);
CREATE INDEX flags_of_message ON flags (message_id) WHERE message_id <> '';
CREATE INDEX flags_of_target ON flags (target_id);
CREATE INDEX flags_by_age ON flags (created_at DESC, seq DESC) WHERE message_id <> '';

CREATE TABLE flag_reports (
  id TEXT PRIMARY KEY,
  message_id TEXT NOT NULL UNIQUE,
  author_id TEXT NOT NULL,
  cid TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  review_result TEXT,
  review_details TEXT,
  reviewed_at INTEGER,
  reviewed_by TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX flag_reports_by_age ON flag_reports (created_at DESC, id);

-- whatever erases a message takes its flags with it (specification/messages.md §7)
CREATE TRIGGER flags_go_with_message AFTER DELETE ON messages BEGIN
  DELETE FROM flags WHERE message_id = OLD.id AND message_id <> '';
  DELETE FROM flag_reports WHERE message_id = OLD.id;
END;

-- answers of commands that wait for a button (specification/messages.md §5.1); not messages until they are sent
CREATE TABLE previews (
  id TEXT PRIMARY KEY,
  cid TEXT NOT NULL,
  user_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  -- which picture is shown, counted from the first
  turn INTEGER NOT NULL DEFAULT 0,
  -- JSON of what was sent
  data TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX previews_by_end ON previews (expires);
CREATE INDEX previews_of_channel ON previews (cid);
CREATE TRIGGER previews_go_with_channel AFTER DELETE ON channels BEGIN
  DELETE FROM previews WHERE cid = OLD.cid;
END;
`;
