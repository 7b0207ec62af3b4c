/** Folds case and accents, to compare words in a search and to mark them in a text. */

// eslint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\0-\x7f]*$/;

/** The letters alone: small, and without their accents. */
export const folded = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The words of a text, folded, in their order. */
export const foldedWords = (text: string): string[] => folded(text).match(/[\p{L}\p{N}_]+/gu) ?? [];

/** A part of a text: UTF-16 units from `start` to before `end`. */
interface Span {
  start: number;
  end: number;
}

/** The words of a text that begin with one of these folded ones. */
export function foundWords(text: string, wanted: readonly string[]): Span[] {
  if (wanted.length === 0) return [];
  return [...text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)].flatMap(({ 0: word, index }) => {
    const whole = folded(word);
    return wanted.some((start) => whole.startsWith(start))
      ? [{ start: index, end: index + word.length }]
      : [];
  });
}
