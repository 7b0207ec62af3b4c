/** Searches the messages of an archive offline: every word must match the start of a word. */
import type { Message } from "../../wire/entities/message.ts";
import { copyOf, type ArchiveReader, type MessageCopy } from "./read.ts";
import { timeKey } from "./writer.ts";

interface ArchiveQuery {
  words: string;
  cids: readonly string[];
  user?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** An FTS5 query; words are quoted, so that they cannot be operators. */
function ftsQuery(words: string): string {
  return words
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `"${word.replaceAll('"', '""')}"*`)
    .join(" ");
}

/** Matches, newest first; none when the words have no letter or digit. */
export function* searchArchive(
  { db, rows }: ArchiveReader,
  { words, cids, user, since, until }: ArchiveQuery,
): Iterable<MessageCopy> {
  const match = ftsQuery(words);
  if (match === "") return;
  const channelCondition = cids.length > 0 ? `AND m.cid IN (${cids.map(() => "?").join(", ")})` : "";
  const statement = db.prepare(
    `SELECT m.id AS key, m.raw, m.gone_at FROM words w JOIN messages m ON m.n = w.rowid WHERE words MATCH ? AND m.at >= ? AND m.at <= ?
     ${user === undefined ? "" : "AND m.user_id = ?"} ${channelCondition} ORDER BY m.at DESC, m.id DESC`,
  );
  const bounds = [timeKey(since), until === undefined ? "9999" : timeKey(until)];
  for (const row of statement.iterate(match, ...bounds, ...(user === undefined ? [] : [user]), ...cids)) {
    const message = rows.one<Message>("messages", row);
    if (message) yield copyOf(message, row.gone_at);
  }
}
