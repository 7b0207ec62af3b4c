/** The table of drafts. */

export const draftsSchema = `
CREATE TABLE drafts (
  user_id TEXT NOT NULL,
  cid TEXT NOT NULL,
  -- '' for the channel's own
  parent_id TEXT NOT NULL DEFAULT '',
  -- last save
  created_at INTEGER NOT NULL,
  quoted_id TEXT,
  poll_id TEXT,
  -- JSON of the unsent message: id, text, attachments, mentioned, flags and custom fields
  data TEXT NOT NULL,
  PRIMARY KEY (user_id, cid, parent_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX drafts_by_age ON drafts (user_id, created_at);
CREATE INDEX drafts_of_channel ON drafts (cid);
CREATE INDEX drafts_of_parent ON drafts (parent_id, user_id) WHERE parent_id <> '';
CREATE INDEX drafts_asking ON drafts (poll_id) WHERE poll_id IS NOT NULL;
CREATE INDEX drafts_quoting ON drafts (quoted_id) WHERE quoted_id IS NOT NULL;
`;
