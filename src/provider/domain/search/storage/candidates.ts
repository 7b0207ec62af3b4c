/** Finds the words that every match of a filter must contain, and the messages with them in the index. */
import { indexNewMessages } from "./schema.ts";
import { isObject } from "../../validation/check.ts";
import type { Database } from "../../../base/database.ts";
import { indexQuery } from "../../../../text/searched-words.ts";
import { attachmentMark, mentionMark } from "../../query/words.ts";

/** A full-text condition: `never` when nothing can match, undefined when any message may match. */
type IndexCondition = string | "never" | undefined;

const NEVER = "never";

/** The full-text condition that every match must meet; a looser one is still correct, only slower. */
export function indexCondition(filter: unknown): IndexCondition {
  if (!isObject(filter)) return undefined;
  const parts = Object.entries(filter).map(([key, value]): IndexCondition => {
    if (key === "text" && isObject(value)) return all([words(value.$q), words(value.$autocomplete)]);
    if (key === "mentioned_users.id") return valueCondition(value, "$contains", mentionMark);
    if (key === "attachments.type") return valueCondition(value, "$eq", attachmentMark);
    if (key === "attachments" && isObject(value) && value.$exists === true) return `"${attachmentMark()}"*`;
    if (key === "$and" && Array.isArray(value)) return all(value.map(indexCondition));
    if (key === "$or" && Array.isArray(value)) return any(value.map(indexCondition));
    return undefined;
  });
  return all(parts);
}

const words = (query: unknown): IndexCondition =>
  typeof query === "string" ? (indexQuery(query) ?? NEVER) : undefined;

/** A bare value, an operator with one value, or a list of which one value is enough. */
function valueCondition(value: unknown, operator: string, mark: (text: string) => string): IndexCondition {
  const single = isObject(value) ? (value[operator] ?? value.$eq) : value;
  if (typeof single === "string") return `"${mark(single)}"`;
  const list = isObject(value) ? value.$in : undefined;
  return Array.isArray(list) && list.length > 0 && list.every((text) => typeof text === "string")
    ? any(list.map((text) => `"${mark(text)}"`))
    : undefined;
}

function all(parts: IndexCondition[]): IndexCondition {
  if (parts.includes(NEVER)) return NEVER;
  const conditions = parts.filter((part) => part !== undefined);
  return conditions.length < 2 ? conditions[0] : conditions.map((part) => `(${part})`).join(" AND ");
}

function any(parts: IndexCondition[]): IndexCondition {
  const possible = parts.filter((part) => part !== NEVER);
  if (possible.length === 0) return NEVER;
  if (possible.includes(undefined)) return undefined;
  return possible.map((part) => `(${part})`).join(" OR ");
}

/** Most candidates; for very common words only the newest this many messages are found and ranked. */
const MAX_CANDIDATES = 10_000;

const CANDIDATES_OF_CHANNEL = `SELECT rowid & 4294967295 FROM search_index
  WHERE search_index MATCH ? AND rowid BETWEEN (? << 32) AND (? << 32) + 4294967295 ORDER BY rowid DESC LIMIT ?`;
const CANDIDATES_OF_CHANNELS = `SELECT rowid & 4294967295 FROM search_index
  WHERE search_index MATCH ? AND rowid BETWEEN (? << 32) AND (? << 32) + 4294967295
  AND rowid >> 32 IN (SELECT value FROM json_each(?)) ORDER BY rowid & 4294967295 DESC LIMIT ?`;

/** Rowids of the messages that the index finds in these channels (given by their rowids). */
export function candidates(db: Database, condition: string, channels: readonly number[]): number[] {
  const [first] = channels;
  if (first === undefined) return [];
  indexNewMessages(db);
  const low = Math.min(...channels);
  const high = Math.max(...channels);
  return channels.length === 1
    ? db.column(CANDIDATES_OF_CHANNEL, condition, low, high, MAX_CANDIDATES)
    : db.column(CANDIDATES_OF_CHANNELS, condition, low, high, JSON.stringify(channels), MAX_CANDIDATES);
}
