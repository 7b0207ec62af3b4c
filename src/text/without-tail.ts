/** Strips the given characters from the end of a text in linear time, unlike a regular expression such as `/_+$/`. */
export function trimEndCharacters(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}
