/** Splits a typed line behind its first words, where what they mean decides how many belong together. */

/** The first `count` words as they stand, and the text behind them; undefined for a line of fewer words. */
export function firstWords(line: string, count: number): { words: string; rest: string } | undefined {
  const found = new RegExp(`^((?:\\S+[ \\t]+){${count - 1}}\\S+)(?:\\s+([\\s\\S]*))?$`).exec(line);
  return found ? { words: found[1]!, rest: found[2] ?? "" } : undefined;
}
