/** Tells the suite (`npm test`, the same for every commit) from the long runs (`npm run proof`), whose seeds change with the tree. */
import { dice } from "./seeded.ts";

/** The long run. */
export const PROOF = process.env.PARLEY_PROOF === "1";

/** How much of the long run: 1 is all of it, 0.1 a tenth of its stories, kills and tries. */
const SHARE = Number(process.env.PARLEY_PROOF_SHARE ?? 1);

/** Derived from the tree under test in the proof (vitest.config.ts); a constant in the suite. */
const SEED = Number(process.env.PARLEY_PROOF_SEED ?? 1);

/** Number of runs of a property: `few` in the suite, up to `all` in the proof. */
export const runs = (all: number, few: number): number =>
  PROOF ? Math.max(few, Math.round(all * SHARE)) : few;

/** The first seed of a series; different for every kind of test, and in the proof for every tree. */
export const drawnSeed = (what: string): number => 1 + dice(SEED).fork(what).below(900_000_000);

/** Tests against a hosted provider (tests/contract/world.ts) are started by hand and rarely: they also leave nothing out. */
const WHOLE = PROOF || process.env.PARLEY_CONTRACT_URL !== undefined;

/** Of similar cases that take seconds each, the suite runs `count`, spread evenly over the list, and the proof all. */
export function spread<T>(list: readonly T[], count: number): T[] {
  if (WHOLE || list.length <= count) return [...list];
  return Array.from({ length: count }, (_, n) => list[Math.floor((n * list.length) / count)]!);
}
