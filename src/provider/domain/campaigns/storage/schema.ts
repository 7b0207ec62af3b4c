/** Tables of campaigns and segments. */

export const campaignsSchema = `
CREATE TABLE segments (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  -- JSON, NULL without one
  filter TEXT,
  all_users INTEGER NOT NULL,
  all_sender_channels INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX segments_by_age ON segments (created_at DESC, id DESC);

CREATE TABLE segment_targets (
  segment_id TEXT NOT NULL,
  target_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (segment_id, target_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE campaigns (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  sender_id TEXT NOT NULL,
  -- '' without one
  sender_mode TEXT NOT NULL,
  sender_visibility TEXT NOT NULL,
  message_template TEXT NOT NULL,
  channel_template TEXT,
  create_channels INTEGER NOT NULL,
  show_channels INTEGER NOT NULL,
  skip_push INTEGER NOT NULL,
  skip_webhook INTEGER NOT NULL,
  segment_ids TEXT NOT NULL,
  user_ids TEXT NOT NULL,
  status TEXT NOT NULL,
  scheduled_for INTEGER,
  stop_at INTEGER,
  -- when its next turn comes; NULL when there is none
  due_at INTEGER,
  started_at INTEGER,
  completed_at INTEGER,
  messages_sent INTEGER NOT NULL DEFAULT 0,
  channels_created INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX campaigns_by_age ON campaigns (created_at DESC, id DESC);
CREATE INDEX campaigns_due ON campaigns (due_at, id) WHERE due_at IS NOT NULL;

-- whom a run serves, frozen at its start; who was served stays served
CREATE TABLE campaign_targets (
  campaign_id TEXT NOT NULL,
  target_id TEXT NOT NULL,
  -- user, channel
  kind TEXT NOT NULL,
  served INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (campaign_id, target_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_targets_waiting ON campaign_targets (campaign_id, target_id) WHERE served = 0;

-- who got it, and at which moment of which channel, so that it can be told who has read it
CREATE TABLE campaign_receivers (
  campaign_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  cid TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (campaign_id, user_id)
) STRICT, WITHOUT ROWID;
`;
