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
const COLLECT_NEW = `INSERT INTO search_fresh (doc)
  SELECT ${DOC("new")} WHERE ${INDEXED("new")} AND NOT ${IS_COLLECTED("new")}`;
const UNINDEX_OLD_INDEXED = `${UNINDEX_OLD} AND NOT ${IS_COLLECTED("old")}`;
const DROP_TRIGGERS =
  "DROP TRIGGER IF EXISTS search_insert; DROP TRIGGER IF EXISTS search_update; DROP TRIGGER IF EXISTS search_delete;";
const TRIGGERS_ON = (table: string): string => `
CREATE TRIGGER search_insert AFTER INSERT ON ${table} WHEN ${INDEXED("new")} BEGIN ${COLLECT_NEW}; END;
-- one trigger, because the order of several is nobody's promise
CREATE TRIGGER search_update AFTER UPDATE OF text, data, type ON ${table} WHEN ${CHANGED} BEGIN
  ${UNINDEX_OLD_INDEXED};
  DELETE FROM search_fresh WHERE doc = ${DOC("old")};
  ${COLLECT_NEW};
END;
CREATE TRIGGER search_delete AFTER DELETE ON ${table} WHEN ${INDEXED("old")} BEGIN
  ${UNINDEX_OLD_INDEXED};
  DELETE FROM search_fresh WHERE doc = ${DOC("old")};
END;`;

/** Applied after `searchSchema`. */
export const searchFreshSchema = `
CREATE TABLE search_fresh (doc INTEGER PRIMARY KEY) STRICT;
${DROP_TRIGGERS}
${TRIGGERS_ON("messages")}
`;

/** Words of deleted messages are removed from the index at once, not when its segments are merged some day. */
export const secureSearchSchema =
  "INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);";

/** Applied when `message_rows` replaces the table, because the earlier triggers use the old name. */
export const searchRowsSchema = `${DROP_TRIGGERS} ${TRIGGERS_ON("message_rows")}`;

const INDEX_COLLECTED = `INSERT INTO search_index (rowid, words)
  SELECT f.doc, index_words(m.text, m.data) FROM search_fresh f CROSS JOIN message_rows m ON m.rowid = f.doc & 4294967295
  ORDER BY f.doc`;

/** Indexes the collected messages: before every commit, and before the index is queried. */
export function indexNewMessages(db: Database): void {
  if (!db.has("SELECT 1 FROM search_fresh LIMIT 1")) return;
  db.run(INDEX_COLLECTED);
  db.run("DELETE FROM search_fresh");
}

/** The index can be rebuilt, so a damaged one loses no message. */
export const searchIndex: Derived = {
  name: "the search index",
  present: "SELECT 1 FROM sqlite_schema WHERE name = 'message_rows'",
  rebuild: `${DROP_TRIGGERS} DROP TABLE search_index; ${INDEX} ${secureSearchSchema} ${INDEX_ALL("message_rows")}
    DELETE FROM search_fresh; ${TRIGGERS_ON("message_rows")}`,
};
