/** The tables of the provider's domain: times are whole microseconds, flexible fields are JSON, counts are stored rather than computed. */
import { adminSchema, pushTemplates } from "./admin/storage/schema.ts";
import { campaigns } from "./campaigns/storage/campaigns.ts";
import { segmentTargets, storedSegments } from "./campaigns/storage/segments.ts";
import { campaignReceivers, campaignTargets } from "./campaigns/storage/targets.ts";
import { channelsSchema } from "./channels/storage/schema.ts";
import { channelPush, devices } from "./devices/storage/devices.ts";
import { drafts } from "./drafts/storage/drafts.ts";
import { imports } from "./jobs/storage/imports.ts";
import { jobKeys } from "./jobs/storage/job-keys.ts";
import { jobFileRows, tasks } from "./jobs/storage/tasks.ts";
import { historyAuthorsSchema, messagesSchema } from "./messages/storage/schema.ts";
import { locations } from "./locations/storage/rows.ts";
import { moderationSchema } from "./moderation/storage/schema.ts";
import { leftoversSchema } from "./messages/storage/leftovers.ts";
import { goneSchema } from "./messages/storage/gone.ts";
import { pollsSchema } from "./polls/storage/schema.ts";
import { reminders } from "./reminders/storage/reminders.ts";
import { clearingSchema, erasingSchema } from "./messages/storage/clearing-schema.ts";
import { clampDatesSchema } from "./messages/storage/clamp-dates-schema.ts";
import {
  newIndexSchema,
  secureSearchSchema,
  searchFreshSchema,
  searchRowsSchema,
  searchSchema,
} from "./search/storage/schema.ts";
import { threadsSchema, threadStartersSchema } from "./threads/storage/schema.ts";
import { fileUsesSchema } from "./uploads/storage/uses.ts";
import { erasedUsersSchema, usersSchema } from "./users/storage/schema.ts";
import { channelMutes } from "./channels/storage/mutes.ts";
import { ownDeletions } from "./messages/storage/deleted-for-me.ts";
import { reactions } from "./messages/storage/reactions.ts";
import { polls, pollVotes } from "./polls/storage/rows.ts";

const INITIAL_SCHEMA = `
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  name TEXT,
  role TEXT NOT NULL DEFAULT 'user',
  teams TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_active INTEGER,
  deleted_at INTEGER,
  deactivated_at INTEGER,
  banned INTEGER NOT NULL DEFAULT 0,
  invisible INTEGER NOT NULL DEFAULT 0,
  privacy TEXT NOT NULL DEFAULT '{}',
  data TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX users_by_creation ON users (created_at, id);

CREATE TABLE channels (
  cid TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  last_message_at INTEGER,
  last_updated INTEGER NOT NULL AS (coalesce(last_message_at, created_at)) STORED,
  -- the newest created_at given to a message: the next one is later, whatever the clock says
  last_stamp INTEGER NOT NULL DEFAULT 0,
  member_count INTEGER NOT NULL DEFAULT 0,
  message_count INTEGER NOT NULL DEFAULT 0,
  frozen INTEGER NOT NULL DEFAULT 0,
  disabled INTEGER NOT NULL DEFAULT 0,
  cooldown INTEGER NOT NULL DEFAULT 0,
  is_distinct INTEGER NOT NULL DEFAULT 0,
  team TEXT,
  filter_tags TEXT NOT NULL DEFAULT '[]',
  overrides TEXT,
  data TEXT NOT NULL DEFAULT '{}',
  deleted_at INTEGER,
  truncated_at INTEGER,
  truncated_by TEXT
) STRICT;
CREATE INDEX channels_by_activity ON channels (last_updated DESC, cid) WHERE deleted_at IS NULL;
CREATE INDEX channels_by_creation ON channels (created_at DESC, cid) WHERE deleted_at IS NULL;

CREATE TABLE members (
  cid TEXT NOT NULL,
  user_id TEXT NOT NULL,
  channel_role TEXT NOT NULL DEFAULT 'channel_member',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  invited INTEGER NOT NULL DEFAULT 0,
  invite_accepted_at INTEGER,
  invite_rejected_at INTEGER,
  banned INTEGER NOT NULL DEFAULT 0,
  ban_expires INTEGER,
  pinned_at INTEGER,
  archived_at INTEGER,
  hidden_at INTEGER,
  hide_before INTEGER,
  data TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (cid, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_by_user ON members (user_id, cid);
CREATE INDEX members_by_age ON members (cid, created_at, user_id);
CREATE INDEX members_hiding ON members (cid, user_id) WHERE hidden_at IS NOT NULL;
CREATE INDEX members_invited ON members (cid, user_id) WHERE invited = 1 AND invite_accepted_at IS NULL;

-- apart from members and narrow, because a send touches a row of every member
CREATE TABLE reads (
  cid TEXT NOT NULL,
  user_id TEXT NOT NULL,
  unread INTEGER NOT NULL DEFAULT 0,
  last_read INTEGER NOT NULL,
  last_read_id TEXT,
  delivered_at INTEGER,
  delivered_id TEXT,
  PRIMARY KEY (cid, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reads_unread ON reads (user_id, unread) WHERE unread > 0;

${channelMutes.create}
CREATE TABLE messages (
  id TEXT NOT NULL UNIQUE,
  cid TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  type TEXT NOT NULL,
  -- 1: stands in the channel's own list (PAGE-6)
  listed INTEGER NOT NULL,
  -- 1: adds to the unread number of those who may see it
  counts INTEGER NOT NULL,
  parent_id TEXT,
  quoted_id TEXT,
  poll_id TEXT,
  text TEXT NOT NULL,
  silent INTEGER NOT NULL DEFAULT 0,
  -- JSON list of the only readers besides the author
  restricted TEXT,
  -- JSON list of members whose unread number it did not raise (muted channel, pending invite)
  uncounted TEXT,
  pinned_at INTEGER,
  pin_expires INTEGER,
  pinned_by TEXT,
  deleted_at INTEGER,
  text_updated_at INTEGER,
  reply_count INTEGER NOT NULL DEFAULT 0,
  deleted_reply_count INTEGER NOT NULL DEFAULT 0,
  has_location INTEGER NOT NULL DEFAULT 0,
  -- JSON of the derived reaction fields, NULL without reactions
  reactions TEXT,
  -- JSON: attachments, mentioned, command, args, member and the custom fields
  data TEXT NOT NULL
) STRICT;
CREATE INDEX messages_listed ON messages (cid, created_at, id) WHERE listed = 1;
CREATE INDEX messages_replies ON messages (parent_id, created_at, id) WHERE parent_id IS NOT NULL;
CREATE INDEX messages_pinned ON messages (cid, pinned_at) WHERE pinned_at IS NOT NULL;
CREATE INDEX messages_with_poll ON messages (poll_id) WHERE poll_id IS NOT NULL;
CREATE INDEX messages_by_time ON messages (cid, created_at);

${ownDeletions.create}
CREATE TABLE threads (
  parent_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  cid TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- replies written: the starter and mentioned people take part without any
  written INTEGER NOT NULL DEFAULT 0,
  unread INTEGER NOT NULL DEFAULT 0,
  last_read INTEGER NOT NULL,
  last_read_id TEXT,
  PRIMARY KEY (parent_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX threads_unread ON threads (user_id, unread) WHERE unread > 0;
CREATE INDEX threads_of_member ON threads (cid, user_id);

${reactions.create}
${polls.create}${pollVotes.create}
${locations.create}`;

const TOMBS = `
-- messages deleted for good: their ids stay taken for a while
CREATE TABLE tombs (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  cid TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tombs_by_age ON tombs (deleted_at);
`;

const RENAME_TOMBS_TO_TOMBSTONES = `
ALTER TABLE tombs RENAME TO tombstones;
DROP INDEX tombs_by_age;
CREATE INDEX tombstones_by_age ON tombstones (deleted_at);
`;

/** So that the replies for some of a thread are counted without reading it. */
const RESTRICTED_REPLIES = `
CREATE INDEX IF NOT EXISTS messages_restricted ON message_rows (parent_id) WHERE restricted IS NOT NULL;
`;

/** SQL texts in the order they are applied; a released text never changes. */
export const domainMigrations: string[] = [
  INITIAL_SCHEMA,
  TOMBS,
  usersSchema,
  messagesSchema,
  threadsSchema,
  pollsSchema,
  drafts.create,
  reminders.create,
  searchSchema,
  moderationSchema,
  devices.create + channelPush.create,
  adminSchema,
  tasks.create + jobFileRows.create + imports.create + jobKeys.create,
  [storedSegments, segmentTargets, campaigns, campaignTargets, campaignReceivers]
    .map(({ create }) => create)
    .join(""),
  channelsSchema,
  searchFreshSchema,
  historyAuthorsSchema,
  threadStartersSchema,
  clearingSchema,
  searchRowsSchema,
  erasingSchema,
  RENAME_TOMBS_TO_TOMBSTONES,
  clampDatesSchema,
  erasedUsersSchema,
  goneSchema,
  fileUsesSchema,
  secureSearchSchema,
  leftoversSchema,
  newIndexSchema(),
  pushTemplates.create,
  RESTRICTED_REPLIES,
];
