/** What `npm test` samples and `npm run proof` runs whole: the switch between them and the seed that draws the sample. */
import { dice } from "./seeded.ts";

/** The long run: nothing is left out. */
export const PROOF = process.env.PARLEY_PROOF === "1";

/** Drawn from the tree that is tested (vitest.config.ts), so that it is the same until something changes. */
export const SAMPLE = Number(process.env.PARLEY_SAMPLE ?? 1);

/** Runs of a property: `few` of them, all in the proof. */
export const runs = (all: number, few: number): number => (PROOF ? all : few);

/** The first seed of a row of them; another one for every kind of test. */
export const drawnSeed = (what: string): number => 1 + dice(SAMPLE).fork(what).below(900_000_000);

/** What is held against a hosted provider (tests/contract/world.ts) is asked by hand and seldom: nothing is left out there either. */
const WHOLE = PROOF || process.env.PARLEY_CONTRACT_URL !== undefined;

/** `count` of the list, drawn for this tree and in their order; all of it in the proof. */
export function sampled<T>(list: readonly T[], count: number, what: string): T[] {
  if (WHOLE || list.length <= count) return [...list];
  const drawn = dice(SAMPLE).fork(what);
  const kept = new Set<number>();
  while (kept.size < count) kept.add(drawn.below(list.length));
  return list.filter((_, at) => kept.has(at));
}
