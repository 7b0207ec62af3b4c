/** Splits a line into words as shells do: quotes and backslashes. */

interface LineWord {
  /** The index of its start in the line, quotes included. */
  start: number;
  text: string;
  /** The unclosed quote, or "". */
  open: string;
}

/** `escapes` decides whether a backslash escapes the next character within a quote ("" = outside); by default always. */
export function lineWords(line: string, escapes: (quote: string) => boolean = () => true): LineWord[] {
  const words: LineWord[] = [];
  let word: LineWord | undefined;
  for (let i = 0; i < line.length; i++) {
    const c = line[i]!;
    const quote: string = word?.open ?? "";
    const blank = quote === "" && /\s/.test(c);
    if (!blank && !word) words.push((word = { start: i, text: "", open: "" }));
    if (blank) word = undefined;
    else if (c === "\\" && i + 1 < line.length && escapes(quote)) word!.text += line[++i]!;
    else if (quote !== "" && c === quote) word!.open = "";
    else if (quote === "" && (c === '"' || c === "'")) word!.open = c;
    else word!.text += c;
  }
  return words;
}
