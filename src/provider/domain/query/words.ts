/** How texts are compared by `$autocomplete` and `$q`: by words, case and accents ignored (users.md §7). */
import type { DatabaseSync } from "node:sqlite";
import { canonical } from "../users/fields.ts";

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
export const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Some word of the text starts with the prefix; a prefix of several words must match at a word's beginning. */
export function startsWord(text: string, prefix: string): boolean {
  const wanted = plain(prefix).trim();
  if (wanted === "") return false;
  const whole = plain(text);
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1))
    if (at === 0 || !/[\p{L}\p{N}_]/u.test(whole[at - 1]!)) return true;
  return false;
}

/** Every word of the query is a word of the text; a query without words matches nothing. */
export function hasWords(text: string, query: string): boolean {
  const wanted = wordsOf(query);
  const there = new Set(wordsOf(text));
  return wanted.length > 0 && wanted.every((word) => there.has(word));
}

/** Lists are equal as sets, everything else when its JSON is. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    const left = new Set(a.map(canonical));
    const right = new Set(b.map(canonical));
    return left.size === right.size && [...left].every((item) => right.has(item));
  }
  return canonical(a) === canonical(b);
}

const known = new WeakSet<DatabaseSync>();

/** Gives the database the functions that compiled filters call. */
export function teachWords(raw: DatabaseSync): void {
  if (known.has(raw)) return;
  known.add(raw);
  const options = { deterministic: true };
  raw.function("starts_word", options, (text, prefix) =>
    typeof text === "string" && typeof prefix === "string" && startsWord(text, prefix) ? 1 : 0,
  );
  raw.function("has_words", options, (text, query) =>
    typeof text === "string" && typeof query === "string" && hasWords(text, query) ? 1 : 0,
  );
  raw.function("same_value", options, (a, b) =>
    typeof a === "string" && typeof b === "string" && sameValue(JSON.parse(a), JSON.parse(b)) ? 1 : 0,
  );
}
