/** Splits a typed line after its first words. */

/** The first `count` words unchanged, and the remaining text; undefined for a line with fewer words. */
export function firstWords(line: string, count: number): { words: string; rest: string } | undefined {
  const match = new RegExp(`^((?:\\S+[ \\t]+){${count - 1}}\\S+)(?:\\s+([\\s\\S]*))?$`).exec(line);
  return match ? { words: match[1]!, rest: match[2] ?? "" } : undefined;
}
