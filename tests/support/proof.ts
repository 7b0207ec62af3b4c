/** Tells whether tests run whole (`npm run proof`) or sampled (`npm test`), and draws the sample from a seed. */
import { dice } from "./seeded.ts";

/** The long run: nothing is left out. */
export const PROOF = process.env.PARLEY_PROOF === "1";

/** Derived from the tree under test (vitest.config.ts), so that it stays the same until something changes. */
export const SAMPLE = Number(process.env.PARLEY_SAMPLE ?? 1);

/** Number of runs of a property: `few`, in the proof `all`. */
export const runs = (all: number, few: number): number => (PROOF ? all : few);

/** The first seed of a series; different for every kind of test. */
export const drawnSeed = (what: string): number => 1 + dice(SAMPLE).fork(what).below(900_000_000);

/** Tests against a hosted provider (tests/contract/world.ts) are started by hand and rarely: they also leave nothing out. */
const WHOLE = PROOF || process.env.PARLEY_CONTRACT_URL !== undefined;

/** `count` items of the list, sampled for this tree, in their order; all of them in the proof. */
export function sampled<T>(list: readonly T[], count: number, what: string): T[] {
  if (WHOLE || list.length <= count) return [...list];
  const drawn = dice(SAMPLE).fork(what);
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(drawn.below(list.length));
  return list.filter((_, at) => chosen.has(at));
}
