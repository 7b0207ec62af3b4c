/** Tables and columns that users added after the first schema. */
import { blocks } from "./blocks.ts";
import { userMutes } from "./mutes.ts";

/** Ids of users erased for good: tokens from before do not bring them back (specification/auth.md §3). */
export const erasedUsersSchema = `
CREATE TABLE IF NOT EXISTS erased_users (
  id TEXT PRIMARY KEY,
  -- tokens issued before this moment fail
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- from here on the account itself says which tokens fail
CREATE TRIGGER IF NOT EXISTS erased_users_return AFTER INSERT ON users BEGIN
  DELETE FROM erased_users WHERE id = NEW.id;
END;
`;

export const usersSchema = `
ALTER TABLE users ADD COLUMN teams_role TEXT NOT NULL DEFAULT '{}';
-- app-wide ban: \`banned\` is set too; NULL = for ever
ALTER TABLE users ADD COLUMN ban_expires INTEGER;
ALTER TABLE users ADD COLUMN shadow_banned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN bypass_moderation INTEGER NOT NULL DEFAULT 0;
-- tokens issued before this moment fail
ALTER TABLE users ADD COLUMN revoked_before INTEGER;
-- JSON: push preferences of the user level
ALTER TABLE users ADD COLUMN push TEXT NOT NULL DEFAULT '{}';
-- answers in channels of two: how many, and the sum of the seconds they took
ALTER TABLE users ADD COLUMN response_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN response_seconds INTEGER NOT NULL DEFAULT 0;
-- the name as \`enforce_unique_usernames\` compares it
ALTER TABLE users ADD COLUMN name_key TEXT;
CREATE INDEX users_by_name_key ON users (name_key) WHERE name_key IS NOT NULL;

-- what was measured is shown only while the app measures
CREATE TRIGGER responses_switched_off AFTER UPDATE ON app_setting
  WHEN NEW.key = 'user_response_time_enabled' AND NEW.json = 'false' BEGIN
  UPDATE users SET response_count = 0, response_seconds = 0 WHERE response_count > 0;
END;
CREATE TRIGGER responses_reset AFTER DELETE ON app_setting WHEN OLD.key = 'user_response_time_enabled' BEGIN
  UPDATE users SET response_count = 0, response_seconds = 0 WHERE response_count > 0;
END;

${userMutes.create}
${blocks.create}
CREATE INDEX channels_of_creator ON channels (created_by);
CREATE INDEX IF NOT EXISTS messages_of_user ON messages (user_id, created_at);
CREATE INDEX IF NOT EXISTS reactions_of_user ON reactions (user_id, created_at);
CREATE INDEX IF NOT EXISTS poll_votes_of_user ON poll_votes (user_id);
`;
