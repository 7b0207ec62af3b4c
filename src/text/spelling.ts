/** The spelling distance of two words, and suggestions for a mistyped command. */
// Own code, because two swapped letters are one mistake, and the packages count two.

/** The number of letters added, removed, changed or swapped with a neighbour between two words (Damerau-Levenshtein). */
export function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  for (let j = 1; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const substitution = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = best;
    }
  return rows[a.length]![b.length]!;
}

/** How many typos a word of this length may have. */
const maxDistance = (word: string): number => (word.length < 5 ? 1 : 2);

/**
 * Up to three of `names` (words) and `paths` (full commands): words with few typos first, then commands whose last
 * word it is, then names it begins.
 */
export function nearest(word: string, names: readonly string[], paths: readonly string[]): string[] {
  const similar = names
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .filter(({ distance }) => distance <= maxDistance(word))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
  const verbs = paths.filter((path) => path.endsWith(` ${word}`));
  const completions = word.length > 1 ? names.filter((name) => name.startsWith(word)) : [];
  return [...new Set([...similar, ...verbs, ...completions])].slice(0, 3);
}

/** The most similar known name with at most two typos. */
export function nearestName(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((name) => ({ name, distance: editDistance(word.toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  return best && best.distance <= 2 ? best.name : undefined;
}

/** `, did you mean 'theme'`; empty if no known name is similar. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearestName(word, known);
  return near === undefined ? "" : `, did you mean '${near}'`;
}
