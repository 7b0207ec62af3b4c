/** Splits a typed line after its first words. */

/** The first `count` words unchanged, and the remaining text; undefined for a line with fewer words. */
export function firstWords(line: string, count: number): { words: string; rest: string } | undefined {
  const found = new RegExp(`^((?:\\S+[ \\t]+){${count - 1}}\\S+)(?:\\s+([\\s\\S]*))?$`).exec(line);
  return found ? { words: found[1]!, rest: found[2] ?? "" } : undefined;
}
