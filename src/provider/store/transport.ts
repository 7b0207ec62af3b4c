/** Tables of the transport half: the event log of `/sync`, uploads, app settings, queued webhooks, and answers by idempotency key. */
import { stampOn, stampsTable } from "./cached-by-stamp.ts";

export const transportMigrations: readonly string[] = [
  `CREATE TABLE event_log (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     cid TEXT NOT NULL,
     user_id TEXT,
     at INTEGER NOT NULL,
     type TEXT NOT NULL,
     json TEXT NOT NULL
   ) STRICT;
   CREATE INDEX event_log_cid ON event_log (cid, at);
   CREATE INDEX event_log_at ON event_log (at);
   CREATE TABLE upload (
     path TEXT PRIMARY KEY,
     cid TEXT,
     user_id TEXT,
     mime_type TEXT NOT NULL,
     size INTEGER NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE app_setting (key TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
  `${stampsTable}
   ${stampOn("app", ["app_setting"])}
   CREATE TABLE hook_queue (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL,
     url TEXT NOT NULL,
     body TEXT NOT NULL,
     timeout INTEGER NOT NULL,
     attempts INTEGER NOT NULL,
     due INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX hook_queue_due ON hook_queue (due);
   CREATE INDEX hook_queue_url ON hook_queue (url, seq);`,
  `CREATE TABLE done_once (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     user_id TEXT NOT NULL,
     key TEXT NOT NULL,
     op TEXT NOT NULL,
     path TEXT NOT NULL,
     json TEXT NOT NULL,
     at INTEGER NOT NULL,
     UNIQUE (user_id, key, op, path)
   ) STRICT;
   CREATE INDEX done_once_at ON done_once (at);`,
  `-- which stored texts have copies of a message, a poll or (webhooks and answers) a channel: store/copies.ts
   CREATE TABLE content_copies (
     subject TEXT NOT NULL,
     place INTEGER NOT NULL,
     seq INTEGER NOT NULL,
     PRIMARY KEY (subject, place, seq)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX content_copies_in ON content_copies (place, seq);
   CREATE TRIGGER event_log_copies_go AFTER DELETE ON event_log BEGIN
     DELETE FROM content_copies WHERE place = 0 AND seq = OLD.seq;
   END;
   CREATE TRIGGER hook_queue_copies_go AFTER DELETE ON hook_queue BEGIN
     DELETE FROM content_copies WHERE place = 1 AND seq = OLD.seq;
   END;
   CREATE TRIGGER done_once_copies_go AFTER DELETE ON done_once BEGIN
     DELETE FROM content_copies WHERE place = 2 AND seq = OLD.seq;
   END;
   -- deletions whose copies are still to be emptied, in steps: store/erasures.ts
   CREATE TABLE erasures (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     kind TEXT NOT NULL,
     id TEXT NOT NULL,
     -- rows up to these numbers are from before the deletion
     log_end INTEGER NOT NULL DEFAULT 0,
     hook_end INTEGER NOT NULL DEFAULT 0,
     answer_end INTEGER NOT NULL DEFAULT 0,
     -- how far a step over all rows of a place came
     done INTEGER NOT NULL DEFAULT 0,
     UNIQUE (kind, id)
   ) STRICT;
   -- a row: freed content may still be in the write-ahead log
   CREATE TABLE freed_content (one INTEGER PRIMARY KEY CHECK (one = 1)) STRICT;
   -- up to here events were dropped because of their age or number
   CREATE TABLE log_start (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL) STRICT;
   INSERT INTO log_start (one, at)
     SELECT 1, coalesce((SELECT at FROM event_log WHERE seq > 1 AND seq = (SELECT min(seq) FROM event_log)), 0);
   INSERT INTO erasures (kind, id, log_end, hook_end, answer_end)
     SELECT 'upgrade', 'copies', (SELECT coalesce(max(seq), 0) FROM event_log),
       (SELECT coalesce(max(seq), 0) FROM hook_queue), (SELECT coalesce(max(seq), 0) FROM done_once)
     WHERE EXISTS (SELECT 1 FROM event_log) OR EXISTS (SELECT 1 FROM done_once);`,
];
