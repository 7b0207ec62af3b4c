/** Searches the messages of an archive offline: every word must fit one of the text (specification/search.md §4). */
import type { Message } from "../../wire/entities/message.ts";
import { copyOf, type ArchiveReader, type MessageCopy } from "./read.ts";
import { fitsWords, indexQuery, wordsOf } from "../../text/searched-words.ts";
import { archiveVersion } from "./open.ts";
import { TERMS_VERSION } from "./schema.ts";
import { timeKey } from "./writer.ts";

interface ArchiveQuery {
  words: string;
  cids: readonly string[];
  user?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const INDEXED = "AND m.n IN (SELECT rowid FROM words WHERE words MATCH ?)";

/** Matches, newest first; none when nothing in the words can be searched. An archive of before is read through. */
export function* searchArchive(
  { db, rows }: ArchiveReader,
  { words, cids, user, since, until }: ArchiveQuery,
): Iterable<MessageCopy> {
  const terms = indexQuery(words);
  if (terms === undefined) return;
  const searched = wordsOf(words);
  db.function("fits", (text) => Number(fitsWords(wordsOf(String(text)), searched)));
  const isIndexed = archiveVersion(db) >= TERMS_VERSION;
  const channelCondition = cids.length > 0 ? `AND m.cid IN (${cids.map(() => "?").join(", ")})` : "";
  const statement = db.prepare(
    `SELECT m.id AS key, m.raw, m.gone_at FROM messages m WHERE m.at >= ? AND m.at <= ? ${isIndexed ? INDEXED : ""}
     ${user === undefined ? "" : "AND m.user_id = ?"} ${channelCondition} AND fits(m.text) ORDER BY m.at DESC, m.id DESC`,
  );
  const values = [
    timeKey(since),
    until === undefined ? "9999" : timeKey(until),
    ...(isIndexed ? [terms] : []),
    ...(user === undefined ? [] : [user]),
    ...cids,
  ];
  for (const row of statement.iterate(...values)) {
    const message = rows.one<Message>("messages", row);
    if (message) yield copyOf(message, row.gone_at);
  }
}
