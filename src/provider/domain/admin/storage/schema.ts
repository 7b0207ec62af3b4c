/** Tables of what an app changed or added: channel types, grants, roles, permissions, commands, blocklists, push providers. */
import { stampOn } from "../../../store/cached-by-stamp.ts";
import { INTEGER, table, TEXT } from "../../../store/table.ts";
import type { BlocklistType } from "../../../../wire/entities/blocklist.ts";

/** Changes whenever roles, grants, permissions, commands or channel types change. */
export const ACCESS_STAMP = "access";
/** Changes whenever a blocklist changes. */
export const BLOCKLIST_STAMP = "blocklists";

const dates = { created_at: INTEGER, updated_at: INTEGER };

/** `settings`: JSON of all settings of a type of the app, of the changed ones of a built-in type; commands are names. */
export const storedTypes = table("channel_types", { name: TEXT.key, settings: TEXT, ...dates });

/** A row replaces the built-in list of that role; `scope`: a channel type, or `.app`; `permissions`: JSON. */
export const storedGrants = table(
  "grants",
  { scope: TEXT.key, role: TEXT.key, permissions: TEXT },
  { indexes: { grants_by_role: "(role)" } },
);

export const customRoles = table("roles", { name: TEXT.key, ...dates });

/** `data`: JSON. */
export const customPermissions = table("permissions", { id: TEXT.key, data: TEXT, ...dates });

export const customCommands = table("commands", {
  name: TEXT.key,
  description: TEXT,
  args: TEXT,
  set_name: TEXT,
  ...dates,
});

/** `words`: a JSON list. */
export const storedBlocklists = table("blocklists", {
  name: TEXT.key,
  type: TEXT.as<BlocklistType>(),
  words: TEXT,
  ...dates,
});

/** `data`: JSON. */
export const storedPushProviders = table("push_providers", {
  type: TEXT.key,
  name: TEXT.key,
  data: TEXT,
  ...dates,
});

/** `enabled`: 0 or 1; `template`: empty for the service's own. */
export const pushTemplates = table("push_templates", {
  provider_type: TEXT.key,
  provider_name: TEXT.key,
  event_type: TEXT.key,
  enabled: INTEGER,
  template: TEXT,
  ...dates,
});

/** Members to be looked at again at `due`: is it still unread? */
export const unreadReminders = table(
  "unread_reminders",
  { user_id: TEXT.key, cid: TEXT.key, due: INTEGER },
  { indexes: { unread_reminders_due: "(due)" } },
);

export const adminSchema = `
${storedTypes.create}
${storedGrants.create}
${customRoles.create}
CREATE INDEX users_holding ON users (role);

${customPermissions.create}
${customCommands.create}
${storedBlocklists.create}-- known by name everywhere, and empty here
INSERT INTO blocklists (name, type, words, created_at, updated_at)
  VALUES ('profanity_en_2020_v1', 'word', '[]', 1767225600000000, 1767225600000000);

${storedPushProviders.create}
${unreadReminders.create}
CREATE INDEX channels_of_type ON channels (type);
CREATE INDEX channels_overridden ON channels (cid) WHERE overrides IS NOT NULL;

${stampOn(ACCESS_STAMP, ["channel_types", "grants", "roles", "permissions", "commands"])}
${stampOn(BLOCKLIST_STAMP, ["blocklists"])}
`;
