/** Compares texts for `$autocomplete` and `$q`: by words, ignoring case and accents (specification/users.md §7). */
import type { DatabaseSync } from "node:sqlite";
import {
  fitsWord,
  fitsWords,
  indexTerms,
  isUnbroken,
  startsWord,
  wordsOf,
} from "../../../text/searched-words.ts";
import { spendTime, registerBudget } from "../../store/budget.ts";
import { canonical } from "./canonical.ts";

/** The words of the last text, cached because a row's text is compared several times in a row. */
let lastText: string | undefined;
let lastWords: string[] = [];
let lastSet: ReadonlySet<string> | undefined;
const wordsOfRow = (text: string): string[] => {
  if (text === lastText) return lastWords;
  lastText = text;
  lastSet = undefined;
  return (lastWords = wordsOf(text));
};
const setOfRow = (text: string): ReadonlySet<string> => {
  const words = wordsOfRow(text);
  return (lastSet ??= new Set(words));
};
/** Cached words of queries, because a filter compares them with every row. */
const MAX_QUERIES = 200;
const queryWords = new Map<string, string[]>();
const wordsOfQuery = (query: string): string[] => {
  const cached = queryWords.get(query);
  if (cached) return cached;
  if (queryWords.size >= MAX_QUERIES) queryWords.clear();
  const words = [...new Set(wordsOf(query))];
  queryWords.set(query, words);
  return words;
};

/** Whether every word of the query is a word of the text; a query without words matches nothing. */
function hasWords(text: string, query: string): boolean {
  const searched = wordsOfQuery(query);
  const textWords = setOfRow(text);
  return (
    searched.length > 0 &&
    searched.every((word) => textWords.has(word) || (isUnbroken(word) && fitsWords(wordsOfRow(text), [word])))
  );
}

/** Whether every word of the query fits a word of the text, as messages are searched (specification/search.md §4). */
function startsWords(text: string, query: string): boolean {
  const searched = wordsOfQuery(query);
  return searched.length > 0 && fitsWords(wordsOfRow(text), searched);
}

/** The number of words of the text that fit a word of the query, for relevance. */
function matchedWords(text: string, query: string): number {
  const searched = wordsOfQuery(query);
  let count = 0;
  for (const word of wordsOfRow(text)) if (searched.some((one) => fitsWord(word, one))) count++;
  return count;
}

/** Starts index entries for mentions and attachments; no word starts with it. */
const MARK = "\u2192";
export const mentionMark = (userId: string): string => `${MARK}m${userId.replace(/\W/g, MARK)}`;
/** The mark of an attachment type; without a type, the common start of all of them. */
export const attachmentMark = (type = ""): string => `${MARK}a${wordsOf(type).join(MARK)}`;

/** The index entry of a message: its words, mentions and attachment types. */
function indexWords(text: string, data: string): string {
  const words = indexTerms(text);
  if (data.includes('"attachments":[') || data.includes('"mentioned":[')) {
    const { attachments = [], mentioned = [] } = JSON.parse(data) as {
      attachments?: { type?: unknown }[];
      mentioned?: string[];
    };
    for (const { type } of attachments) words.push(attachmentMark(typeof type === "string" ? type : ""));
    for (const id of mentioned) words.push(mentionMark(id));
  }
  return words.join(" ");
}

/** Lists are equal as sets, other values when their canonical JSON is. */
function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    const left = new Set(a.map(canonical));
    const right = new Set(b.map(canonical));
    return left.size === right.size && [...left].every((item) => right.has(item));
  }
  return canonical(a) === canonical(b);
}

const UPLOADED = /\/files\/([\da-f]{8}-[\da-f-]{27})\//g;

/** Ids of the uploaded files whose addresses stand in a text. */
const fileIds = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(UPLOADED), ([, id]) => id!)),
];

/** Registers the SQL functions that compiled filters and triggers call. */
export function registerWords(raw: DatabaseSync): void {
  registerBudget(raw);
  const options = { deterministic: true };
  /** Comparing words is slow, so each comparison checks the time budget. */
  const compared = (name: string, test: (text: string, other: string) => number): void =>
    raw.function(name, options, (text, other) => {
      spendTime(raw);
      return typeof text === "string" && typeof other === "string" ? test(text, other) : 0;
    });
  compared("starts_word", (text, prefix) => Number(startsWord(text, prefix)));
  compared("has_words", (text, query) => Number(hasWords(text, query)));
  compared("starts_words", (text, query) => Number(startsWords(text, query)));
  compared("matched_words", matchedWords);
  // The index contains folded terms, so that it and the filters always agree about words.
  raw.function("index_words", options, (text, data) => indexWords(String(text), String(data)));
  raw.function("file_ids", options, (text) => JSON.stringify(fileIds(String(text))));
  compared("same_value", (a, b) => Number(sameValue(JSON.parse(a), JSON.parse(b))));
}
