/** The words of texts and queries, by one rule wherever words are matched (specification/search.md §4). */
import { fold, foldWithPositions } from "./fold.ts";

/** Made at its first use: compiling sets of scripts takes a millisecond each, and most starts of the program search nothing. */
function onFirstUse(make: () => RegExp): () => RegExp {
  let expression: RegExp | undefined;
  return () => (expression ??= make());
}

/** Letters of scripts that put no blanks between words: there any characters that stand together may be a word. */
const UNBROKEN =
  "[[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Bopo}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Lana}\\p{sc=Talu}\\p{sc=Tale}\\p{sc=Tavt}\\p{sc=Java}\\p{sc=Bali}\\u30fc\\u3099\\u309a]&&[\\p{L}\\p{M}\\p{N}]]";
const SPACED = `[[\\p{L}\\p{M}\\p{N}_]--${UNBROKEN}]`;
const allWords = onFirstUse(() => new RegExp(`${UNBROKEN}+|${SPACED}+`, "gv"));
const beginsUnbroken = onFirstUse(() => new RegExp(`^${UNBROKEN}`, "v"));
const beginsSpaced = onFirstUse(() => new RegExp(`^${SPACED}`, "v"));
const endsSpaced = onFirstUse(() => new RegExp(`${SPACED}$`, "v"));

/** Below it there is no unbroken script. */
const FIRST_UNBROKEN = 0x0e00;
export const isUnbroken = (word: string): boolean =>
  word.charCodeAt(0) >= FIRST_UNBROKEN && beginsUnbroken().test(word);

const anyUnbroken = onFirstUse(() => new RegExp(UNBROKEN, "v"));
/** Whether a text has letters of a script without blanks. */
export const hasUnbroken = (text: string): boolean => anyUnbroken().test(text);

/** A quick look: without such characters there are no unbroken words. */
const HAS_LATER_SCRIPTS = /[\u0e00-\uffff]/;

/** The folded words; what is written without blanks is one word as long as its script goes on. */
export function wordsOf(text: string): string[] {
  const folded = fold(text);
  return folded.match(HAS_LATER_SCRIPTS.test(folded) ? allWords() : /[\p{L}\p{M}\p{N}_]+/gu) ?? [];
}

/** Whether a word of a text is what a word of a query searches: its beginning; without blanks, any part of it. */
export const fitsWord = (word: string, searched: string): boolean =>
  isUnbroken(searched) ? word.includes(searched) : word.startsWith(searched);

/** Each word of the query fits one of the text; both as `wordsOf` returns them. */
export const fitsWords = (words: readonly string[], searched: readonly string[]): boolean =>
  searched.every((one) => words.some((word) => fitsWord(word, one)));

/** Whether a word may begin or end here: beside what is no letter, and anywhere without blanks. */
export function isWordBoundary(folded: string, at: number): boolean {
  const before = folded.slice(Math.max(0, at - 2), at);
  const after = folded.slice(at, at + 2);
  return !(endsSpaced().test(before) && beginsSpaced().test(after));
}

/** Whether the text contains the prefix at the start of a word; it may have several words. */
export function startsWord(text: string, prefix: string): boolean {
  const foldedPrefix = fold(prefix).trim();
  if (foldedPrefix === "") return false;
  const foldedText = fold(text);
  for (let i = foldedText.indexOf(foldedPrefix); i >= 0; i = foldedText.indexOf(foldedPrefix, i + 1))
    if (isWordBoundary(foldedText, i)) return true;
  return false;
}

/** Whether the word stands in the text as a whole; both folded. Korean particles follow their word without a blank: 서울 is a whole word in 서울에서. */
export function hasWholeWord(folded: string, word: string): boolean {
  if (word === "") return false;
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (isWordBoundary(folded, at) && (isWordBoundary(folded, end) || /\p{sc=Hang}$/u.test(word)))
      return true;
  }
  return false;
}

/** Neighbours of an unbroken word in pairs, and its last character alone: any character begins one of them. */
function pairsOf(word: string): string[] {
  const characters = Array.from(word);
  return characters.map((character, i) => character + (characters[i + 1] ?? ""));
}

/** What a full-text index stores for a text: its words, and for unbroken ones their pairs; folded, so it must not fold again. */
export const indexTerms = (text: string): string[] => [
  ...new Set(wordsOf(text).flatMap((word) => (isUnbroken(word) ? pairsOf(word) : [word]))),
];

/** Pairs of one unbroken word that are looked up; the text decides about the rest. */
const MAX_PAIRS = 16;

function termsOf(word: string): string[] {
  if (!isUnbroken(word)) return [`"${word}"*`];
  const pairs = pairsOf(word);
  if (pairs.length === 1) return [`"${word}"*`];
  return pairs.slice(0, Math.min(pairs.length - 1, MAX_PAIRS)).map((pair) => `"${pair}"`);
}

/** The FTS5 query that every match of these words meets; undefined when nothing in them can be searched. */
export function indexQuery(query: string): string | undefined {
  const terms = [...new Set(wordsOf(query).flatMap(termsOf))];
  // Folded words contain only letters, marks, digits and underscores, so they cannot end the quotes.
  return terms.length === 0 ? undefined : terms.join(" AND ");
}

/** Whether all that the index finds matches: it knows pairs, not how they follow each other. */
export const isIndexExact = (query: string): boolean =>
  wordsOf(query).every((word) => !isUnbroken(word) || Array.from(word).length <= 2);

/** A range of UTF-16 units, `end` exclusive. */
interface Span {
  start: number;
  end: number;
}

/** Where the searched words (of `wordsOf`) stand in a text, in order: words that begin with them, and the parts of unbroken ones. */
export function findWords(text: string, searched: readonly string[]): Span[] {
  if (searched.length === 0) return [];
  const { text: folded, starts } = foldWithPositions(text);
  // A letter that folds to several is found whole.
  const endOf = (end: number): number => starts.find((start, i) => i >= end && start > starts[end - 1]!)!;
  return [...folded.matchAll(allWords())].flatMap(({ 0: word, index }) =>
    foundIn(word, searched).map(({ start, end }) => ({
      start: starts[index + start]!,
      end: endOf(index + end),
    })),
  );
}

/** Parts that touch or overlap are one. */
function foundIn(word: string, searched: readonly string[]): Span[] {
  const fitting = searched.filter((one) => fitsWord(word, one));
  if (!isUnbroken(word)) return fitting.length > 0 ? [{ start: 0, end: word.length }] : [];
  const isFound = Array.from({ length: word.length + 1 }, () => false);
  for (const part of fitting)
    for (let at = word.indexOf(part); at >= 0; at = word.indexOf(part, at + 1))
      isFound.fill(true, at, at + part.length);
  const edges = isFound.flatMap((found, i) => (found === (isFound[i - 1] ?? false) ? [] : [i]));
  return edges.flatMap((edge, i) => (i % 2 === 0 ? [{ start: edge, end: edges[i + 1]! }] : []));
}
