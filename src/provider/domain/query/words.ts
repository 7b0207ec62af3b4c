/** How texts are compared by `$autocomplete` and `$q`: by words, case and accents ignored (users.md §7). */
import type { DatabaseSync } from "node:sqlite";
import { canonical } from "../users/fields.ts";

// eslint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\0-\x7f]*$/;
const plain = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
export const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Some word of the text starts with the prefix; a prefix of several words must match at a word's beginning. */
function startsWord(text: string, prefix: string): boolean {
  const wanted = plain(prefix).trim();
  if (wanted === "") return false;
  const whole = plain(text);
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1))
    if (at === 0 || !/[\p{L}\p{N}_]/u.test(whole[at - 1]!)) return true;
  return false;
}

/** Every word of the query is a word of the text; a query without words matches nothing. */
function hasWords(text: string, query: string): boolean {
  const wanted = wordsOf(query);
  const there = new Set(wordsOf(text));
  return wanted.length > 0 && wanted.every((word) => there.has(word));
}

/** The words last read: a row's text and a search's words are asked for several times in a row. */
let lastText: string | undefined;
let lastWords: string[] = [];
const wordsOfRow = (text: string): string[] => {
  if (text === lastText) return lastWords;
  lastText = text;
  return (lastWords = wordsOf(text));
};
let lastQuery: string | undefined;
let lastWanted: string[] = [];
const wordsOfQuery = (query: string): string[] => {
  if (query === lastQuery) return lastWanted;
  lastQuery = query;
  return (lastWanted = [...new Set(wordsOf(query))]);
};

/** Every word of the query starts a word of the text: how messages are searched (drafts-reminders-search.md C4). */
function startsWords(text: string, query: string): boolean {
  const there = wordsOfRow(text);
  const wanted = wordsOfQuery(query);
  return wanted.length > 0 && wanted.every((word) => there.some((other) => other.startsWith(word)));
}

/** How many words of the text some word of the query starts: what a result's relevance is made of. */
function matchedWords(text: string, query: string): number {
  const wanted = wordsOfQuery(query);
  let count = 0;
  for (const word of wordsOfRow(text)) if (wanted.some((start) => word.startsWith(start))) count++;
  return count;
}

/** What no word begins with: marks in the index what a message has besides its text. */
const MARK = "\u2192";
export const mentionMark = (userId: string): string => `${MARK}m${userId.replace(/\W/g, MARK)}`;
/** Of a type, or the beginning of all of them. */
export const attachmentMark = (type = ""): string => `${MARK}a${wordsOf(type).join(MARK)}`;

/** The index entry of a message: its words, whom it mentions, and of what types its attachments are. */
function indexWords(text: string, data: string): string {
  const words = wordsOf(text);
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

/** Lists are equal as sets, everything else when its JSON is. */
function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    const left = new Set(a.map(canonical));
    const right = new Set(b.map(canonical));
    return left.size === right.size && [...left].every((item) => right.has(item));
  }
  return canonical(a) === canonical(b);
}

/** Gives the database the functions that compiled filters and the triggers of the search index call. */
export function teachWords(raw: DatabaseSync): void {
  const options = { deterministic: true };
  raw.function("starts_word", options, (text, prefix) =>
    typeof text === "string" && typeof prefix === "string" && startsWord(text, prefix) ? 1 : 0,
  );
  raw.function("has_words", options, (text, query) =>
    typeof text === "string" && typeof query === "string" && hasWords(text, query) ? 1 : 0,
  );
  raw.function("starts_words", options, (text, query) =>
    typeof text === "string" && typeof query === "string" && startsWords(text, query) ? 1 : 0,
  );
  raw.function("matched_words", options, (text, query) =>
    typeof text === "string" && typeof query === "string" ? matchedWords(text, query) : 0,
  );
  // the index holds folded words, so that it and the filters can never disagree about what a word is
  raw.function("index_words", options, (text, data) => indexWords(String(text), String(data)));
  raw.function("same_value", options, (a, b) =>
    typeof a === "string" && typeof b === "string" && sameValue(JSON.parse(a), JSON.parse(b)) ? 1 : 0,
  );
}
