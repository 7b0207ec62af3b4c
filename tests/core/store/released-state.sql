-- A state.db as a program of 22 November 2026 wrote it: a message that waits, a draft, what the screen remembers.
CREATE TABLE outbox ( seq INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT NOT NULL, cid TEXT NOT NULL, action TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL, owner TEXT NOT NULL, created_at REAL NOT NULL, not_before REAL, error TEXT ) STRICT;
CREATE TABLE drafts ( cid TEXT NOT NULL, parent_id TEXT NOT NULL, updated_at REAL NOT NULL, draft TEXT NOT NULL, PRIMARY KEY (cid, parent_id) ) STRICT, WITHOUT ROWID;
CREATE TABLE draft_history ( id INTEGER PRIMARY KEY, cid TEXT NOT NULL, parent_id TEXT NOT NULL, updated_at REAL NOT NULL, draft TEXT NOT NULL ) STRICT;
CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO outbox (seq, message_id, cid, action, state, tries, owner, created_at, not_before, error) VALUES (3, 'alice-cf870a4b-202a-4b3a-8d64-d6bbb3bf0cdd', 'messaging:old', '{"kind":"send","message":{"id":"alice-cf870a4b-202a-4b3a-8d64-d6bbb3bf0cdd","text":"queued"},"options":{}}', 'queued', 0, '6092:8697822', 1795400410561, 1795400413751.2043, NULL);
INSERT INTO kv (key, value) VALUES ('value channel', '"messaging:old"');
INSERT INTO kv (key, value) VALUES ('value device.id', '"a01a69b7-6afa-4cc3-ab8a-b643c7289d90"');
INSERT INTO kv (key, value) VALUES ('value sync.checkpoint', '"2026-11-23T02:19:59.172000Z"');
INSERT INTO drafts (cid, parent_id, updated_at, draft) VALUES ('messaging:old', '', 1795400223571, '{"cid":"messaging:old","text":"typed but never sent","updatedAt":1795400223571}');
PRAGMA user_version = 1;
