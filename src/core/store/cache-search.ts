/** Searches the messages in cache.db, newest first, without an index. */
import type { LocalSearch } from "../../model/search-query.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { PrepareStatement } from "./statements.ts";

/** Most messages to parse: a word that nearly every message contains is found among the newest. */
const MAX_PARSED = 2000;

/** Most recently active channels, searched while the user types. */
const RECENT_CHANNELS = 30;

const READ = "SELECT body FROM messages WHERE id = ?";

/** At most `limit` matching messages, newest first; in the named channels, else in `all` or in the recently active ones. */
export function searchCache(
  sql: PrepareStatement,
  { words, parts, cids, fits }: LocalSearch,
  limit: number,
  all: boolean,
): Message[] {
  const isLimited = cids.length > 0;
  const where = isLimited
    ? " AND cid IN (SELECT value FROM json_each(?))"
    : all
      ? ""
      : ` AND cid IN (SELECT cid FROM channels ORDER BY activity DESC, cid LIMIT ${RECENT_CHANNELS})`;
  const candidates = sql(
    `SELECT id FROM messages WHERE true${" AND coalesce(folded, body) LIKE ?".repeat(words.length)}${" AND instr(body, ?)".repeat(parts.length)}${where} ORDER BY key DESC LIMIT ${MAX_PARSED}`,
  ).all(...words.map((word) => `%${word}%`), ...parts, ...(isLimited ? [JSON.stringify(cids)] : []));
  const found: Message[] = [];
  for (const { id } of candidates) {
    const message = JSON.parse(sql(READ).get(id as string)!.body as string) as Message;
    if (fits(message) && found.push(message) === limit) break;
  }
  return found;
}
