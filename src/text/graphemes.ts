/** Splits text into user-perceived characters, which no cut may break. */

let segmenter: Intl.Segmenter | undefined;

/** The graphemes with their places. The first call loads the rules of Unicode (7 to 12 ms), so a start goes without one. */
export function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** Units that are one grapheme each, whatever stands beside them (CR is not: CRLF is one). */
const SINGLE =
  /^[\n\x20-\x7e\xa1-\xac\xae-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff]*$/;
/** The same with signs, arrows and the emoji that are one code point: no joiner, modifier or flag letter among them. */
const SINGLE_POINTS =
  /^[\n\x07\x1b\x20-\x7e\xa1-\xac\xae-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u27bf\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\u{1f300}-\u{1f3fa}\u{1f400}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}]*$/u;

/** Whether every code point of a text is a grapheme of its own; of some texts that is not known without the rules of Unicode. */
export const isSinglePoints = (text: string): boolean => SINGLE.test(text) || SINGLE_POINTS.test(text);

/** The graphemes of a text, at most `limit` of them (the rest is not looked at). */
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
