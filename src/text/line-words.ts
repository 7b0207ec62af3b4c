/** Splits a line into words as shells do: quotes and backslashes. */

interface LineWord {
  /** The index of its start in the line, quotes included. */
  start: number;
  text: string;
  /** The unclosed quote, or "". */
  openQuote: string;
}

/** `escapes` decides whether a backslash escapes the next character within a quote ("" = outside); by default always. */
export function lineWords(line: string, escapes: (quote: string) => boolean = () => true): LineWord[] {
  const words: LineWord[] = [];
  let word: LineWord | undefined;
  for (let i = 0; i < line.length; i++) {
    const character = line[i]!;
    const quote: string = word?.openQuote ?? "";
    const blank = quote === "" && /\s/.test(character);
    if (!blank && !word) words.push((word = { start: i, text: "", openQuote: "" }));
    if (blank) word = undefined;
    else if (character === "\\" && i + 1 < line.length && escapes(quote)) word!.text += line[++i]!;
    else if (quote !== "" && character === quote) word!.openQuote = "";
    else if (quote === "" && (character === '"' || character === "'")) word!.openQuote = character;
    else word!.text += character;
  }
  return words;
}
