/** Folds case and accents, to compare and highlight words of a search. */
import { foldWithPositions } from "./fold.ts";

// eslint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\0-\x7f]*$/;

export const folded = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export const foldedWords = (text: string): string[] => folded(text).match(/[\p{L}\p{N}_]+/gu) ?? [];

/** A range of UTF-16 units, `end` exclusive. */
interface Span {
  start: number;
  end: number;
}

/** Finds the words that begin with one of the folded `prefixes`. */
export function findWords(text: string, prefixes: readonly string[]): Span[] {
  if (prefixes.length === 0) return [];
  const { text: foldedText, starts } = foldWithPositions(text);
  return [...foldedText.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)].flatMap(({ 0: word, index }) =>
    prefixes.some((prefix) => word.startsWith(prefix))
      ? [{ start: starts[index]!, end: starts[index + word.length]! }]
      : [],
  );
}
