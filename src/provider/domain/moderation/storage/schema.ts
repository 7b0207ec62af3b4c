/** Tables and columns that bans, flags, reports and command previews added after the first schema. */
import { flagReports } from "../../flags/storage/reports.ts";
import { flags } from "../../flags/storage/flags.ts";
import { commandPreviews } from "../../posting/storage/previews.ts";
import { bans, futureBans } from "./bans.ts";

export const moderationSchema = `
ALTER TABLE members ADD COLUMN shadow_banned INTEGER NOT NULL DEFAULT 0;
-- 1: only its author sees it (specification/moderation.md §2.1); \`restricted\` is then an empty list
ALTER TABLE messages ADD COLUMN shadowed INTEGER NOT NULL DEFAULT 0;

${bans.create}
${futureBans.create}
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

${flags.create}
${flagReports.create}
-- whatever erases a message takes its flags with it (specification/messages.md §7)
CREATE TRIGGER flags_go_with_message AFTER DELETE ON messages BEGIN
  DELETE FROM flags WHERE message_id = OLD.id AND message_id <> '';
  DELETE FROM flag_reports WHERE message_id = OLD.id;
END;

${commandPreviews.create}CREATE TRIGGER previews_go_with_channel AFTER DELETE ON channels BEGIN
  DELETE FROM previews WHERE cid = OLD.cid;
END;
`;
