/** A text without certain letters at its end: an expression such as `/_+$/` tries again at each of them. */
export function withoutTail(text: string, letters: string): string {
  let end = text.length;
  while (end > 0 && letters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}
