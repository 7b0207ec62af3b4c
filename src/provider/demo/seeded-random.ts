/** A seeded random generator, so that the demo is always the same. */

interface SeededRandom {
  /** 0 ≤ r < 1 */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
}

/** The Mulberry32 algorithm. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return { next, between };
}
