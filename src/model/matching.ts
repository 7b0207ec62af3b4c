/** Ranks how well a name matches a query, ignoring case and accents (R-MENT-5). */
import { fold } from "../text/fold.ts";
import { isWordBoundary } from "../text/searched-words.ts";

/** 0 = the text begins with the query, 1 = a word does, 2 = the text contains it. `query` is folded. */
export function matchRank(text: string, query: string): 0 | 1 | 2 | undefined {
  const folded = fold(text);
  if (folded.startsWith(query)) return 0;
  let at = folded.indexOf(query);
  if (at < 0) return undefined;
  for (; at >= 0; at = folded.indexOf(query, at + 1))
    if (folded[at - 1] === "_" || isWordBoundary(folded, at)) return 1;
  return 2;
}

export function bestRank(texts: readonly string[], query: string): 0 | 1 | 2 | undefined {
  const ranks = texts.map((text) => matchRank(text, query)).filter((rank) => rank !== undefined);
  return ranks.length ? (Math.min(...ranks) as 0 | 1 | 2) : undefined;
}
