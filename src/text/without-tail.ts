/** Strips the given characters from the end of a text in linear time, unlike a regular expression such as `/_+$/`. */
export function withoutTail(text: string, letters: string): string {
  let end = text.length;
  while (end > 0 && letters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}
