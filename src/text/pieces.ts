/** Cuts a text that is too long, or splits it at ends of lines, else at spaces: never within a character. */

/** The beginning of a text, at most `most` UTF-16 units and never half of a surrogate pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** Where a piece that begins at `from` ends, and where the next one begins. */
function cutAt(text: string, from: number, most: number): [end: number, next: number] {
  const room = text.slice(from, from + most + 1);
  for (const gap of ["\n", " "]) {
    const at = room.lastIndexOf(gap);
    if (at > 0) return [from + at, from + at + 1];
  }
  // A piece of nothing would never end: where one unit is allowed, a pair is cut.
  const end = from + Math.max(1, cutText(room, most).length);
  return [end, end];
}

/** Each piece has at most `most` UTF-16 units, at least 1; empty ones are left out. */
export function piecesOf(text: string, most: number): string[] {
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
