/** Searches the messages in cache.db, newest first, without an index. */
import type { HeldQuestion } from "../../model/search-query.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { PrepareStatement } from "./statements.ts";

/** Most messages to parse: a word that nearly every message contains is found among the newest. */
const MOST = 2000;

/** Most recently active channels, searched while the user types. */
const RECENT = 30;

const READ = "SELECT body FROM messages WHERE id = ?";

/** At most `limit` matching messages, newest first; in the named channels, else in `all` or in the recently active ones. */
export function searchCache(
  sql: PrepareStatement,
  { parts, cids, fits }: HeldQuestion,
  limit: number,
  all: boolean,
): Message[] {
  const named = cids.length > 0;
  const here = named
    ? " AND cid IN (SELECT value FROM json_each(?))"
    : all
      ? ""
      : ` AND cid IN (SELECT cid FROM channels ORDER BY activity DESC, cid LIMIT ${RECENT})`;
  const wanted = sql(
    `SELECT id FROM messages WHERE true${" AND body LIKE ?".repeat(parts.length)}${here} ORDER BY key DESC LIMIT ${MOST}`,
  ).all(...parts.map((part) => `%${part}%`), ...(named ? [JSON.stringify(cids)] : []));
  const found: Message[] = [];
  for (const { id } of wanted) {
    const message = JSON.parse(sql(READ).get(id as string)!.body as string) as Message;
    if (fits(message) && found.push(message) === limit) break;
  }
  return found;
}
