/** Searches an archive for words without the provider: all words must occur, each at the beginning of one. */
import type { DatabaseSync } from "node:sqlite";
import type { Message } from "../../wire/entities/message.ts";
import { timeKey } from "./writer.ts";

interface Sought {
  words: string;
  cids: readonly string[];
  user?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Words as FTS5 takes them: quoted, so that nothing in them is an operator. */
function matching(words: string): string {
  return words
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `"${word.replaceAll('"', '""')}"*`)
    .join(" ");
}

/** The newest first. Nothing where the words hold no letter. */
export function* searchArchive(
  db: DatabaseSync,
  { words, cids, user, since, until }: Sought,
): Iterable<Message> {
  const match = matching(words);
  if (match === "") return;
  const places = cids.length > 0 ? `AND m.cid IN (${cids.map(() => "?").join(", ")})` : "";
  const statement = db.prepare(
    `SELECT m.raw FROM words w JOIN messages m ON m.n = w.rowid WHERE words MATCH ? AND m.at >= ? AND m.at <= ?
     ${user === undefined ? "" : "AND m.user_id = ?"} ${places} ORDER BY m.at DESC, m.id DESC`,
  );
  const bounds = [timeKey(since), until === undefined ? "9999" : timeKey(until)];
  for (const row of statement.iterate(match, ...bounds, ...(user === undefined ? [] : [user]), ...cids))
    yield JSON.parse(String(row.raw)) as Message;
}
