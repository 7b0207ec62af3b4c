/** Folds case and accents, to compare and highlight words of a search. */

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
  return [...text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)].flatMap(({ 0: word, index }) => {
    const foldedWord = folded(word);
    return prefixes.some((prefix) => foldedWord.startsWith(prefix))
      ? [{ start: index, end: index + word.length }]
      : [];
  });
}
