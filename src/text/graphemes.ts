/** User-perceived characters: what a cursor steps over and what no cut may split. */

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
/** Units that are one grapheme each, whatever stands beside them (CR is not: CRLF is one). */
const SINGLE =
  /^[\n\x20-\x7e\xa1-\xac\xae-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff]*$/;

/** The graphemes of a text, at most `limit` of them (the rest is not looked at). */
export function graphemes(text: string, limit = Number.POSITIVE_INFINITY): string[] {
  if (SINGLE.test(text)) return (text.length > limit ? text.slice(0, limit) : text).split("");
  const found: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    if (found.length >= limit) break;
    found.push(segment);
  }
  return found;
}

/** How many graphemes a text has. */
export function graphemeCount(text: string): number {
  if (SINGLE.test(text)) return text.length;
  let count = 0;
  for (const _ of segmenter.segment(text)) count++;
  return count;
}

/** Offset (code units) of the grapheme boundary before `offset`; 0 at the start. For a cursor's left and for backspace. */
export function previousBoundary(text: string, offset: number): number {
  if (offset <= 0) return 0;
  // A window is enough: what is longer than this is not one character to anybody.
  const from = Math.max(0, offset - 256);
  let last = from;
  for (const { index } of segmenter.segment(text.slice(from, offset))) last = from + index;
  return last;
}

/** Offset of the grapheme boundary after `offset`; the length at the end. For a cursor's right and for delete. */
export function nextBoundary(text: string, offset: number): number {
  if (offset >= text.length) return text.length;
  for (const { segment } of segmenter.segment(text.slice(offset, offset + 256)))
    return offset + segment.length;
  return text.length;
}
