/** The full-text index of messages: an entry's rowid says the channel (upper bits) and the message (lower 32 bits). */

/*
 * Neither texts nor positions are kept, since the messages hold the texts and no phrase is ever asked for; the rowids
 * of `channels` and `messages` never change (nothing here runs a plain VACUUM). One channel is one range of rowids, newest last.
 */
const DOC = (row: string): string =>
  `((SELECT c.rowid FROM channels c WHERE c.cid = ${row}.cid) << 32) | ${row}.rowid`;
const INDEXED = (row: string): string => `${row}.text <> '' AND ${row}.type IN ('regular', 'reply')`;

export const searchSchema = `
CREATE VIRTUAL TABLE search_index USING fts5(
  words, content = '', columnsize = 0, detail = none, tokenize = "ascii tokenchars '_'"
);
INSERT INTO search_index (rowid, words)
  SELECT (c.rowid << 32) | m.rowid, folded_words(m.text) FROM channels c NOT INDEXED CROSS JOIN messages m ON m.cid = c.cid
  WHERE ${INDEXED("m")};
CREATE TRIGGER search_insert AFTER INSERT ON messages WHEN ${INDEXED("new")} BEGIN
  INSERT INTO search_index (rowid, words) VALUES (${DOC("new")}, folded_words(new.text));
END;
CREATE TRIGGER search_forget AFTER UPDATE OF text, type ON messages
WHEN ${INDEXED("old")} AND (old.text <> new.text OR old.type <> new.type) BEGIN
  INSERT INTO search_index (search_index, rowid, words) VALUES ('delete', ${DOC("old")}, folded_words(old.text));
END;
CREATE TRIGGER search_learn AFTER UPDATE OF text, type ON messages
WHEN ${INDEXED("new")} AND (old.text <> new.text OR old.type <> new.type) BEGIN
  INSERT INTO search_index (rowid, words) VALUES (${DOC("new")}, folded_words(new.text));
END;
CREATE TRIGGER search_delete AFTER DELETE ON messages WHEN ${INDEXED("old")} BEGIN
  INSERT INTO search_index (search_index, rowid, words) VALUES ('delete', ${DOC("old")}, folded_words(old.text));
END;
`;
