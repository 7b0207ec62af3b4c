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
];
