/** Splits a long text at ends of lines, else at spaces, never within a character. */

/** Where a piece that begins at `from` ends, and where the next one begins. */
function cutAt(text: string, from: number, most: number): [end: number, next: number] {
  const room = text.slice(from, from + most + 1);
  for (const gap of ["\n", " "]) {
    const at = room.lastIndexOf(gap);
    if (at > 0) return [from + at, from + at + 1];
  }
  const last = text.charCodeAt(from + most - 1);
  const end = from + most - (most > 1 && last >= 0xd800 && last <= 0xdbff ? 1 : 0);
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
