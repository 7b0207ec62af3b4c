/** The full-text index of messages; a rowid encodes the channel (upper bits) and the message (lower 32 bits). */

import type { Database, Derived } from "../../../base/database.ts";

/*
 * The index stores neither texts nor positions, because the messages have the texts and phrases are never searched. Rowids of
 * `channels` and `messages` never change (nothing here runs a plain VACUUM). A channel is a range of rowids, newest last.
 */
const DOC = (row: string): string =>
  `((SELECT c.rowid FROM channels c WHERE c.cid = ${row}.cid) << 32) | ${row}.rowid`;
const INDEXED = (row: string): string => `${row}.type IN ('regular', 'reply')`;
const CHANGED = "(old.text <> new.text OR old.data <> new.data OR old.type <> new.type)";
const INDEX_NEW = `INSERT INTO search_index (rowid, words)
  SELECT ${DOC("new")}, index_words(new.text, new.data) WHERE ${INDEXED("new")}`;
const UNINDEX_OLD = `INSERT INTO search_index (search_index, rowid, words)
  SELECT 'delete', ${DOC("old")}, index_words(old.text, old.data) WHERE ${INDEXED("old")}`;

const INDEX = `
CREATE VIRTUAL TABLE search_index USING fts5(
  words, content = '', columnsize = 0, detail = none, prefix = '3', tokenize = "ascii tokenchars '_'"
);`;
const INDEX_ALL = (table: string): string => `
INSERT INTO search_index (rowid, words)
  SELECT (c.rowid << 32) | m.rowid, index_words(m.text, m.data)
  FROM channels c NOT INDEXED CROSS JOIN ${table} m ON m.cid = c.cid WHERE ${INDEXED("m")};`;

export const searchSchema = `${INDEX}${INDEX_ALL("messages")}
CREATE TRIGGER search_insert AFTER INSERT ON messages WHEN ${INDEXED("new")} BEGIN ${INDEX_NEW}; END;
-- one trigger, because the order of several is nobody's promise: words of both texts must go before they come
CREATE TRIGGER search_update AFTER UPDATE OF text, data, type ON messages WHEN ${CHANGED} BEGIN
  ${UNINDEX_OLD};
  ${INDEX_NEW};
END;
CREATE TRIGGER search_delete AFTER DELETE ON messages WHEN ${INDEXED("old")} BEGIN ${UNINDEX_OLD}; END;
`;

/*
 * The index writes a segment at every savepoint, and each call of a transaction has one: eight sends would write and merge
 * eight tiny segments. So new messages of a transaction are collected in a table and indexed together at its end.
 */
const IS_COLLECTED = (row: string): string => `EXISTS (SELECT 1 FROM search_fresh WHERE doc = ${DOC(row)})`;
const DROP_TRIGGERS =
  "DROP TRIGGER IF EXISTS search_insert; DROP TRIGGER IF EXISTS search_update; DROP TRIGGER IF EXISTS search_delete;";

/** `isWaiting`: of a row that is indexed later. */
function triggersOn(table: string, isWaiting: (row: string) => string): string {
  const collectNew = `INSERT INTO search_fresh (doc)
  SELECT ${DOC("new")} WHERE ${INDEXED("new")} AND NOT ${isWaiting("new")}`;
  const unindexOld = `${UNINDEX_OLD} AND NOT ${isWaiting("old")}`;
  return `
CREATE TRIGGER search_insert AFTER INSERT ON ${table} WHEN ${INDEXED("new")} BEGIN ${collectNew}; END;
-- one trigger, because the order of several is nobody's promise
CREATE TRIGGER search_update AFTER UPDATE OF text, data, type ON ${table} WHEN ${CHANGED} BEGIN
  ${unindexOld};
  DELETE FROM search_fresh WHERE doc = ${DOC("old")};
  ${collectNew};
END;
CREATE TRIGGER search_delete AFTER DELETE ON ${table} WHEN ${INDEXED("old")} BEGIN
  ${unindexOld};
  DELETE FROM search_fresh WHERE doc = ${DOC("old")};
END;`;
}

/** Applied after `searchSchema`. */
export const searchFreshSchema = `
CREATE TABLE search_fresh (doc INTEGER PRIMARY KEY) STRICT;
${DROP_TRIGGERS}
${triggersOn("messages", IS_COLLECTED)}
`;

/** Words of deleted messages are removed from the index at once, not when its segments are merged some day. */
export const secureSearchSchema =
  "INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);";

/** Applied when `message_rows` replaces the table, because the earlier triggers use the old name. */
export const searchRowsSchema = `${DROP_TRIGGERS} ${triggersOn("message_rows", IS_COLLECTED)}`;

/*
 * A new index is filled from the newest message to the oldest, in steps: `search_backlog` says below which rowid the messages
 * are not in it yet. What changes among them is found by the step that comes to it.
 */
const IS_WAITING = (row: string): string =>
  `(${IS_COLLECTED(row)} OR EXISTS (SELECT 1 FROM search_backlog WHERE ${row}.rowid < below))`;

const INDEX_FROM = `INSERT INTO search_index (rowid, words)
  SELECT (c.rowid << 32) | m.rowid AS doc, index_words(m.text, m.data)
  FROM message_rows m CROSS JOIN channels c ON c.cid = m.cid`;
/** The order of the index, which would otherwise write a segment for each message. */
const IN_ORDER = `AND ${INDEXED("m")} ORDER BY doc`;

/**
 * Makes the index anew: with the newest `atOnce` messages, so that a search right after the start finds in a small folder what is
 * there; `indexBacklogPart` adds the others. Also a migration, because the words of earlier indexes were others.
 */
export const newIndexSchema = (atOnce = 2000): string => `${DROP_TRIGGERS}
DROP TABLE search_index; ${INDEX} ${secureSearchSchema}
DELETE FROM search_fresh;
CREATE TABLE IF NOT EXISTS search_backlog (below INTEGER NOT NULL) STRICT;
DELETE FROM search_backlog;
INSERT INTO search_backlog (below) SELECT rowid + 1 FROM message_rows ORDER BY rowid DESC LIMIT 1 OFFSET ${atOnce};
${INDEX_FROM} WHERE m.rowid >= coalesce((SELECT below FROM search_backlog), 0) ${IN_ORDER};
${triggersOn("message_rows", IS_WAITING)}`;

const INDEX_COLLECTED = `INSERT INTO search_index (rowid, words)
  SELECT f.doc, index_words(m.text, m.data) FROM search_fresh f CROSS JOIN message_rows m ON m.rowid = f.doc & 4294967295
  ORDER BY f.doc`;

/** Indexes the collected messages: before every commit, and before the index is queried. */
export function indexNewMessages(db: Database): void {
  if (!db.has("SELECT 1 FROM search_fresh LIMIT 1")) return;
  db.run(INDEX_COLLECTED);
  db.run("DELETE FROM search_fresh");
}

/** Most messages, and characters of their texts, that one step indexes, in a few hundredths of a second. */
const STEP_MESSAGES = 200;
const STEP_CHARACTERS = 20_000;

/** Whether older messages are not in the index yet. */
export const hasBacklog = (db: Database): boolean => db.has("SELECT 1 FROM search_backlog");

/** The lowest rowid of the next step; undefined at the end. */
function startOfPart(db: Database, messages: number): number | undefined {
  let start: number | undefined;
  let characters = 0;
  for (const { rowid, size } of db.all<{ rowid: number; size: number }>(
    `SELECT m.rowid, length(m.text) AS size FROM message_rows m
     WHERE m.rowid < (SELECT below FROM search_backlog) ORDER BY m.rowid DESC LIMIT ?`,
    messages,
  )) {
    if (start !== undefined && characters + size > STEP_CHARACTERS) break;
    characters += size;
    start = rowid;
  }
  return start;
}

/** Indexes the newest messages that are not in the index yet, at most `messages` of them. */
export function indexBacklogPart(db: Database, messages = STEP_MESSAGES): void {
  const start = startOfPart(db, messages);
  if (start === undefined) return void db.run("DELETE FROM search_backlog");
  db.run(
    `${INDEX_FROM} WHERE m.rowid >= ? AND m.rowid < (SELECT below FROM search_backlog) ${IN_ORDER}`,
    start,
  );
  db.run("UPDATE search_backlog SET below = ?", start);
}

/** The index can be made anew, so a damaged one loses no message. */
export const searchIndex: Derived = {
  name: "the search index",
  present: "SELECT 1 FROM sqlite_schema WHERE name = 'message_rows'",
  rebuild: newIndexSchema(),
};
