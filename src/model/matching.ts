/** Ranks how well a name matches what was typed, ignoring case and accents (R-MENT-5). */

export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** 0 = begins with it, 1 = a word of it does, 2 = holds it, undefined = none of these. `wanted` is folded. */
export function matchRank(text: string, wanted: string): 0 | 1 | 2 | undefined {
  const folded = fold(text);
  if (folded.startsWith(wanted)) return 0;
  let at = folded.indexOf(wanted);
  if (at < 0) return undefined;
  for (; at >= 0; at = folded.indexOf(wanted, at + 1)) if (/[^\p{L}\p{N}]/u.test(folded[at - 1]!)) return 1;
  return 2;
}

/** The best of several names. */
export function bestRank(texts: readonly string[], wanted: string): 0 | 1 | 2 | undefined {
  const ranks = texts.map((text) => matchRank(text, wanted)).filter((rank) => rank !== undefined);
  return ranks.length ? (Math.min(...ranks) as 0 | 1 | 2) : undefined;
}
