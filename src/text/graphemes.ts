/** Splits text into graphemes (user-perceived characters), which are never cut. */

let segmenter: Intl.Segmenter | undefined;

/** The graphemes with their positions. The first call loads the Unicode rules (7 to 12 ms), so it is avoided at startup. */
export function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** Characters that are always a grapheme of their own (not CR, since CRLF is one). */
const SINGLE =
  /^[\n\x20-\x7e\xa1-\xac\xae-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff]*$/;
/** Also symbols, arrows and single-code-point emoji, but no joiners, modifiers or flag letters. */
const SINGLE_POINTS =
  /^[\n\x07\x1b\x20-\x7e\xa1-\xac\xae-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u27bf\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\u{1f300}-\u{1f3fa}\u{1f400}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}]*$/u;

/** True if every code point is certainly a grapheme of its own; false may also mean unknown. */
export const isSinglePoints = (text: string): boolean => SINGLE.test(text) || SINGLE_POINTS.test(text);

/** The first `limit` graphemes of a text; the remainder is not examined. */
export function graphemes(text: string, limit = Number.POSITIVE_INFINITY): string[] {
  if (SINGLE.test(text)) return (text.length > limit ? text.slice(0, limit) : text).split("");
  if (SINGLE_POINTS.test(text)) return Array.from(text.slice(0, limit * 2)).slice(0, limit);
  const found: string[] = [];
  for (const { segment } of segments(text)) {
    if (found.length >= limit) break;
    found.push(segment);
  }
  return found;
}
