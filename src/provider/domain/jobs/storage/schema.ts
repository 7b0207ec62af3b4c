/** Tables of tasks, exports and imports. */

export const jobsSchema = `
CREATE TABLE tasks (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- 1: a step is still to be run
  open INTEGER NOT NULL,
  -- JSON of what was asked for
  payload TEXT NOT NULL,
  -- JSON of how far it came; NULL before the first step
  state TEXT,
  result TEXT,
  error TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX tasks_open ON tasks (updated_at, id) WHERE open = 1;

-- files of exports and imports by their name, until they are removed
CREATE TABLE spooled (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  remove_at INTEGER NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX spooled_by_age ON spooled (remove_at);

CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  path TEXT NOT NULL,
  mode TEXT NOT NULL,
  merge_custom INTEGER NOT NULL,
  state TEXT NOT NULL,
  size INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  history TEXT NOT NULL,
  result TEXT NOT NULL,
  -- bytes of the file that were read in this state
  at INTEGER NOT NULL DEFAULT 0,
  -- how many types of the order were already left behind
  rank INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX imports_by_age ON imports (created_at DESC, id);
CREATE INDEX imports_open ON imports (updated_at, id) WHERE state NOT IN ('analyze_failed', 'completed', 'failed');

-- what a job has met so far; emptied when it ends
CREATE TABLE job_seen (
  job_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (job_id, kind, key)
) STRICT, WITHOUT ROWID;
`;
