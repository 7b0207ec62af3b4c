/** Matches names against glob patterns with `*`, `?` and `[a-z]`, without exponential backtracking. */

/** One part of a pattern: any run of letters, or a test for one letter. */
type Part = "any" | ((letter: string) => boolean);

export function isGlob(pattern: string): boolean {
  const open = pattern.indexOf("[");
  return /[*?]/.test(pattern) || (open >= 0 && pattern.indexOf("]", open + 2) > 0);
}

function letterTest(inside: string): (letter: string) => boolean {
  const isNegated = /^[!^]/.test(inside);
  const letters = [...(isNegated ? inside.slice(1) : inside)];
  const ranges: [from: string, to: string][] = [];
  for (let i = 0; i < letters.length; i++) {
    const from = letters[i]!;
    const to = letters[i + 1] === "-" ? letters[i + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) i += 2;
  }
  return (letter) => ranges.some(([from, to]) => from <= letter && letter <= to) !== isNegated;
}

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  const letters = [...pattern];
  for (let i = 0; i < letters.length; i++) {
    const symbol = letters[i]!;
    const close = symbol === "[" ? letters.indexOf("]", i + 2) : -1;
    if (symbol === "*") {
      if (parts.at(-1) !== "any") parts.push("any");
    } else if (symbol === "?") parts.push(() => true);
    else if (close > 0) {
      parts.push(letterTest(letters.slice(i + 1, close).join("")));
      i = close;
    } else parts.push((letter) => letter === symbol);
  }
  return parts;
}

/** Creates a case-insensitive test for names. Hidden files match only a pattern that begins with a dot. */
export function globTest(pattern: string): (name: string) => boolean {
  const parts = partsOf(pattern.toLowerCase());
  return (name) =>
    (pattern.startsWith(".") || !name.startsWith(".")) && matches(parts, [...name.toLowerCase()]);
}

/** Backtracks only to the last `*`, which is sufficient. */
function matches(parts: readonly Part[], letters: readonly string[]): boolean {
  let at = 0;
  let lastStar: { part: number; letter: number } | undefined;
  for (let i = 0; i < letters.length;) {
    const part = parts[at];
    if (part === "any") lastStar = { part: ++at, letter: i };
    else if (part?.(letters[i]!)) {
      at++;
      i++;
    } else if (lastStar) {
      at = lastStar.part;
      i = ++lastStar.letter;
    } else return false;
  }
  return parts.slice(at).every((part) => part === "any");
}
