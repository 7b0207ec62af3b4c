/** What somebody who typed a word that is no command may have meant. */
import { slipsBetween } from "../../text/spelling.ts";

/** As many slips as a word of this length may have. */
const slips = (word: string): number => (word.length < 5 ? 1 : 2);

/**
 * Up to three of `names` (words) and `paths` (commands in full): a word with few slips first, then commands whose last
 * word it is, then names it begins.
 */
export function nearest(word: string, names: readonly string[], paths: readonly string[]): string[] {
  const close = names
    .map((name) => ({ name, far: slipsBetween(word, name) }))
    .filter(({ far }) => far <= slips(word))
    .toSorted((a, b) => a.far - b.far)
    .map(({ name }) => name);
  const verbs = paths.filter((path) => path.endsWith(` ${word}`));
  const begun = word.length > 1 ? names.filter((name) => name.startsWith(word)) : [];
  return [...new Set([...close, ...verbs, ...begun])].slice(0, 3);
}
