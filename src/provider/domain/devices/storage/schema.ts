/** Tables of devices and of push preferences for single channels. */

export const devicesSchema = `
CREATE TABLE devices (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  push_provider TEXT NOT NULL,
  push_provider_name TEXT,
  hardware_id TEXT,
  voip INTEGER NOT NULL DEFAULT 0,
  disabled_reason TEXT,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_of_user ON devices (user_id, created_at);

CREATE TABLE channel_push (
  user_id TEXT NOT NULL,
  cid TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (user_id, cid)
) STRICT, WITHOUT ROWID;
CREATE INDEX channel_push_of_channel ON channel_push (cid);
`;
