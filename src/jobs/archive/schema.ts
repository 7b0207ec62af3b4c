/** The tables of an archive: entities as the provider returned them, and the progress of each run. */
import type { DatabaseSync } from "node:sqlite";
import { indexTerms } from "../../text/searched-words.ts";

/** Rows a statement: until it ends, it keeps every text that a function of ours was given. */
const ROWS_A_STATEMENT = 5000;

const ADD = "INSERT INTO words(rowid, terms) SELECT n, index_terms(text) FROM messages WHERE";

/** Brings the search index up to the messages that were written since it was: all of them or none. */
export function fillWords(db: DatabaseSync): void {
  db.exec("SAVEPOINT filling");
  try {
    // FTS5's own table, which has a row for each that is indexed.
    const indexed = greatest(db, "id", "words_docsize");
    replaceChanged(db, indexed);
    const last = greatest(db, "n", "messages");
    const fill = db.prepare(`${ADD} n > ?1 AND n <= ?1 + ?2`);
    for (let n = indexed; n < last; n += ROWS_A_STATEMENT) fill.run(n, ROWS_A_STATEMENT);
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK TO filling; RELEASE filling");
    throw error;
  }
  db.exec("RELEASE filling");
}

/** Indexes changed texts up to message number `indexed` again; those behind it are not indexed yet. */
function replaceChanged(db: DatabaseSync, indexed: number): void {
  const remove = db.prepare("DELETE FROM words WHERE rowid = ?");
  const add = db.prepare(`${ADD} n = ?`);
  for (const { n } of db.prepare("SELECT n FROM changed_texts WHERE n <= ?").iterate(indexed)) {
    remove.run(n!);
    add.run(n!);
  }
  db.exec("DELETE FROM changed_texts");
}

const greatest = (db: DatabaseSync, column: string, table: string): number =>
  Number(db.prepare(`SELECT coalesce(max(${column}), 0) AS n FROM ${table}`).get()!.n);

/** Empties the search index: the numbers of removed messages are given again. */
export const clearWords = (db: DatabaseSync): void =>
  db.exec("INSERT INTO words(words) VALUES ('delete-all'); DELETE FROM changed_texts");

/** The first version whose `words` have the terms of `index_terms`: an earlier one that is read is searched without them. */
export const TERMS_VERSION = 3;

/** Registers the SQL function that the index is filled with. */
export function addFunctions(db: DatabaseSync): void {
  db.function("index_terms", (text) => indexTerms(String(text)).join(" "));
}

/** Append only: `user_version` is the number of applied entries. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE channels(cid TEXT PRIMARY KEY, type TEXT NOT NULL, id TEXT NOT NULL, name TEXT, raw TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE users(id TEXT PRIMARY KEY, name TEXT, updated_at TEXT NOT NULL, raw TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE members(cid TEXT NOT NULL, user_id TEXT NOT NULL, run INTEGER NOT NULL, raw TEXT NOT NULL,
     PRIMARY KEY(cid, user_id)) WITHOUT ROWID;
   CREATE TABLE reads(cid TEXT NOT NULL, user_id TEXT NOT NULL, last_read TEXT NOT NULL, raw TEXT NOT NULL,
     PRIMARY KEY(cid, user_id)) WITHOUT ROWID;
   CREATE TABLE messages(n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, cid TEXT NOT NULL, parent_id TEXT, user_id TEXT NOT NULL,
     type TEXT NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL, updated_at TEXT NOT NULL, gone_at TEXT, run INTEGER NOT NULL,
     raw TEXT NOT NULL);
   CREATE INDEX messages_by_time ON messages(cid, at, id);
   CREATE INDEX messages_by_parent ON messages(parent_id, at, id) WHERE parent_id IS NOT NULL;
   CREATE TABLE reactions(message_id TEXT NOT NULL, type TEXT NOT NULL, user_id TEXT NOT NULL, raw TEXT NOT NULL,
     PRIMARY KEY(message_id, type, user_id)) WITHOUT ROWID;
   CREATE TABLE polls(id TEXT PRIMARY KEY, message_id TEXT NOT NULL, raw TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE votes(id TEXT PRIMARY KEY, poll_id TEXT NOT NULL, raw TEXT NOT NULL) WITHOUT ROWID;
   CREATE INDEX votes_by_poll ON votes(poll_id);
   CREATE TABLE attachments(message_id TEXT NOT NULL, n INTEGER NOT NULL, kind TEXT, name TEXT, url TEXT, hash TEXT, state TEXT NOT NULL,
     reason TEXT, PRIMARY KEY(message_id, n)) WITHOUT ROWID;
   CREATE INDEX attachments_by_state ON attachments(state, message_id, n);
   CREATE TABLE files(hash TEXT PRIMARY KEY, bytes INTEGER NOT NULL, mime TEXT) WITHOUT ROWID;
   CREATE TABLE runs(n INTEGER PRIMARY KEY, kind TEXT NOT NULL, options TEXT NOT NULL, version TEXT NOT NULL, started_at TEXT NOT NULL,
     ended_at TEXT);
   CREATE TABLE checkpoints(cid TEXT NOT NULL, part TEXT NOT NULL, cursor TEXT, at TEXT, run INTEGER NOT NULL, done INTEGER NOT NULL,
     PRIMARY KEY(cid, part)) WITHOUT ROWID;
   CREATE TABLE gaps(cid TEXT NOT NULL, part TEXT NOT NULL, after TEXT, reason TEXT NOT NULL, at TEXT NOT NULL,
     PRIMARY KEY(cid, part)) WITHOUT ROWID;
   CREATE VIRTUAL TABLE words USING fts5(text, content='messages', content_rowid='n', tokenize='unicode61 remove_diacritics 2');`,
  // When the provider last returned the row: decides between two archives, as a reaction does not change `updated_at`.
  `ALTER TABLE messages ADD COLUMN seen_at TEXT NOT NULL DEFAULT '';
   UPDATE messages SET seen_at = coalesce((SELECT started_at FROM runs WHERE runs.n = messages.run), '');
   ALTER TABLE channels ADD COLUMN seen_at TEXT NOT NULL DEFAULT '';
   UPDATE channels SET seen_at = coalesce((SELECT r.started_at FROM checkpoints p JOIN runs r ON r.n = p.run
     WHERE p.cid = channels.cid AND p.part = 'channel'), '');`,
  // The index of before knew no words of scripts without blanks. It is filled after all entries.
  `DROP TABLE words;
   CREATE VIRTUAL TABLE words USING fts5(terms, content='', columnsize=0, detail=none, prefix='3', tokenize="ascii tokenchars '_'");`,
  // An item that could not be read as a whole, as the provider wrote it.
  `ALTER TABLE gaps ADD COLUMN raw TEXT;`,
  // An index whose rows can be replaced one by one: before, each run made it anew. And an index that people and messages of a channel are counted by.
  `DROP TABLE words;
   CREATE VIRTUAL TABLE words USING fts5(terms, content='', contentless_delete=1, detail=none, prefix='3', tokenize="ascii tokenchars '_'");
   CREATE TABLE changed_texts(n INTEGER PRIMARY KEY);
   CREATE TRIGGER text_changed AFTER UPDATE OF text ON messages WHEN old.text <> new.text
     BEGIN INSERT OR IGNORE INTO changed_texts VALUES (new.n); END;
   CREATE INDEX messages_by_author ON messages(cid, user_id, parent_id);`,
];
