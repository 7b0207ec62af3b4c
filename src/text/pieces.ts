/** Cuts long text, or splits it at line ends or else at spaces, never within a character. */

/** The beginning of a text, at most `maxLength` UTF-16 units and never half of a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}

/** The end of a piece that begins at `from`, and the start of the next one. */
function splitPoint(text: string, from: number, maxLength: number): [end: number, next: number] {
  const head = text.slice(from, from + maxLength + 1);
  for (const gap of ["\n", " "]) {
    const at = head.lastIndexOf(gap);
    if (at > 0) return [from + at, from + at + 1];
  }
  // An empty piece would loop forever: with a limit of one unit, a surrogate pair is cut.
  const end = from + Math.max(1, cutText(head, maxLength).length);
  return [end, end];
}

/** Each piece has at most `maxLength` UTF-16 units, at least 1; empty ones are left out. */
export function splitText(text: string, maxLength: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > maxLength) {
    const [end, next] = splitPoint(text, from, maxLength);
    pieces.push(text.slice(from, end));
    from = next;
  }
  pieces.push(text.slice(from));
  return pieces.filter((piece) => piece.trim() !== "");
}
