/** Which words a message filter cannot do without, and the messages of the index that have them. */
import { settleSearch } from "./schema.ts";
import { isObject } from "../../validation/check.ts";
import type { Database } from "../../../base/database.ts";
import { foldedWords } from "../../../../text/folded.ts";
import { attachmentMark, mentionMark } from "../../query/words.ts";

/** A condition of the index: `never` when nothing can match it, undefined when any message may. */
type Needed = string | "never" | undefined;

const NEVER = "never";

/** What every match of this filter must have in the index; a looser answer is never wrong, only slower. */
export function neededWords(filter: unknown): Needed {
  if (!isObject(filter)) return undefined;
  const parts = Object.entries(filter).map(([key, value]): Needed => {
    if (key === "text" && isObject(value)) return all([words(value.$q), words(value.$autocomplete)]);
    if (key === "mentioned_users.id") return listed(value, "$contains", mentionMark);
    if (key === "attachments.type") return listed(value, "$eq", attachmentMark);
    if (key === "attachments" && isObject(value) && value.$exists === true) return `"${attachmentMark()}"*`;
    if (key === "$and" && Array.isArray(value)) return all(value.map(neededWords));
    if (key === "$or" && Array.isArray(value)) return any(value.map(neededWords));
    return undefined;
  });
  return all(parts);
}

function words(query: unknown): Needed {
  if (typeof query !== "string") return undefined;
  const list = [...new Set(foldedWords(query))];
  // A folded word is made of letters, digits and underscores, so nothing in it could end the quotes.
  return list.length === 0 ? NEVER : list.map((word) => `"${word}"*`).join(" AND ");
}

/** A bare value, the operator for one value, or a list of values of which one is enough. */
function listed(value: unknown, one: string, mark: (text: string) => string): Needed {
  const single = isObject(value) ? (value[one] ?? value.$eq) : value;
  if (typeof single === "string") return `"${mark(single)}"`;
  const many = isObject(value) ? value.$in : undefined;
  return Array.isArray(many) && many.length > 0 && many.every((text) => typeof text === "string")
    ? any(many.map((text) => `"${mark(text)}"`))
    : undefined;
}

function all(parts: Needed[]): Needed {
  if (parts.includes(NEVER)) return NEVER;
  const known = parts.filter((part) => part !== undefined);
  return known.length < 2 ? known[0] : known.map((part) => `(${part})`).join(" AND ");
}

function any(parts: Needed[]): Needed {
  const possible = parts.filter((part) => part !== NEVER);
  if (possible.length === 0) return NEVER;
  if (possible.includes(undefined)) return undefined;
  return possible.map((part) => `(${part})`).join(" OR ");
}

/** Of words found in nearly everything the newest this many messages are ranked, and no older ones found. */
const MOST = 10_000;

const IN_ONE = `SELECT rowid & 4294967295 FROM search_index
  WHERE search_index MATCH ? AND rowid BETWEEN (? << 32) AND (? << 32) + 4294967295 ORDER BY rowid DESC LIMIT ?`;
const IN_SOME = `SELECT rowid & 4294967295 FROM search_index
  WHERE search_index MATCH ? AND rowid BETWEEN (? << 32) AND (? << 32) + 4294967295
  AND rowid >> 32 IN (SELECT value FROM json_each(?)) ORDER BY rowid & 4294967295 DESC LIMIT ?`;

/** Rowids of messages in these channels (given by their rowids) that the index finds. */
export function candidates(db: Database, needed: string, channels: readonly number[]): number[] {
  const [first] = channels;
  if (first === undefined) return [];
  settleSearch(db);
  const low = Math.min(...channels);
  const high = Math.max(...channels);
  return channels.length === 1
    ? db.column(IN_ONE, needed, low, high, MOST)
    : db.column(IN_SOME, needed, low, high, JSON.stringify(channels), MOST);
}
