/** Tables of what an app changed or added: channel types, grants, roles, permissions, commands, blocklists, push providers. */
import { stampOn } from "../../../store/cached-by-stamp.ts";

/** Changes whenever roles, grants, permissions, commands or channel types change. */
export const ACCESS_STAMP = "access";
/** Changes whenever a blocklist changes. */
export const BLOCKLIST_STAMP = "blocklists";

export const adminSchema = `
CREATE TABLE channel_types (
  name TEXT PRIMARY KEY,
  -- JSON: all settings of a type of the app, the changed ones of a built-in type; commands are names
  settings TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- a row replaces the built-in list of that role
CREATE TABLE grants (
  -- a channel type, or .app
  scope TEXT NOT NULL,
  role TEXT NOT NULL,
  permissions TEXT NOT NULL,
  PRIMARY KEY (scope, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_by_role ON grants (role);

CREATE TABLE roles (
  name TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX users_holding ON users (role);

CREATE TABLE permissions (
  id TEXT PRIMARY KEY,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE commands (
  name TEXT PRIMARY KEY,
  description TEXT NOT NULL,
  args TEXT NOT NULL,
  set_name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE blocklists (
  name TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  words TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- known by name everywhere, and empty here
INSERT INTO blocklists (name, type, words, created_at, updated_at)
  VALUES ('profanity_en_2020_v1', 'word', '[]', 1767225600000000, 1767225600000000);

CREATE TABLE push_providers (
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (type, name)
) STRICT, WITHOUT ROWID;

-- members who are looked at again: is it still unread
CREATE TABLE unread_reminders (
  user_id TEXT NOT NULL,
  cid TEXT NOT NULL,
  due INTEGER NOT NULL,
  PRIMARY KEY (user_id, cid)
) STRICT, WITHOUT ROWID;
CREATE INDEX unread_reminders_due ON unread_reminders (due);

CREATE INDEX channels_of_type ON channels (type);
CREATE INDEX channels_overridden ON channels (cid) WHERE overrides IS NOT NULL;

${stampOn(ACCESS_STAMP, ["channel_types", "grants", "roles", "permissions", "commands"])}
${stampOn(BLOCKLIST_STAMP, ["blocklists"])}
`;
