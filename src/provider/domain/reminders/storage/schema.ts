/** Tables and columns that reminders added after the first schema. */

export const remindersSchema = `
CREATE TABLE reminders (
  user_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  cid TEXT NOT NULL,
  parent_id TEXT,
  -- NULL: a bookmark
  remind_at INTEGER,
  -- 1: notification.reminder_due was told for this remind_at
  told INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reminders_by_time ON reminders (user_id, remind_at);
CREATE INDEX reminders_of_message ON reminders (message_id);
CREATE INDEX reminders_due ON reminders (remind_at) WHERE told = 0 AND remind_at IS NOT NULL;
`;
