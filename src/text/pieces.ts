/** Cuts long text, or splits it at line ends or else at spaces, never within a character. */

/** The beginning of a text, at most `most` UTF-16 units and never half of a surrogate pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** The end of a piece that begins at `from`, and the start of the next one. */
function cutAt(text: string, from: number, most: number): [end: number, next: number] {
  const room = text.slice(from, from + most + 1);
  for (const gap of ["\n", " "]) {
    const at = room.lastIndexOf(gap);
    if (at > 0) return [from + at, from + at + 1];
  }
  // An empty piece would loop forever: with a limit of one unit, a surrogate pair is cut.
  const end = from + Math.max(1, cutText(room, most).length);
  return [end, end];
}

/** Each piece has at most `most` UTF-16 units, at least 1; empty ones are left out. */
export function splitText(text: string, most: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > most) {
    const [end, next] = cutAt(text, from, most);
    pieces.push(text.slice(from, end));
    from = next;
  }
  pieces.push(text.slice(from));
  return pieces.filter((piece) => piece.trim() !== "");
}
