/** Seeds that once failed, and those of a run: the same fixed ones each time, or as many as the environment says. */

import { inspect as show } from "node:util";

const inspect = (value: unknown): string => show(value, { depth: 6, breakLength: 160, compact: 6 });

/** Of single odd values (`seeds.test.ts`). */
export const VALUE_CORPUS: readonly number[] = [337, 1960001420];
/** Of one value of any answer or event (`answers.test.ts`). */
export const ANSWER_CORPUS: readonly number[] = [];

/** Of the client's own lists (`lists.test.ts`). */
export const LIST_CORPUS: readonly number[] = [];

/** Of whole stories (`stories.test.ts`). */
export const STORY_CORPUS: readonly number[] = [34, 98, 187, 2414, 2599, 2601, 4222, 4829];

/** Of commands (`commands.test.ts`). */
export const COMMAND_CORPUS: readonly number[] = [];

/** Of the built screen (`screen.test.ts`). */
export const SCREEN_CORPUS: readonly number[] = [];

const FIRST = Number(process.env.PARLEY_ODD_SEED ?? 1);
/** Seeds of a run that names no number. */
const USUAL = 30;

/** `most`: how many a run may have at most; `usual`: how many it has unless the environment says. */
export function seedsOf(
  corpus: readonly number[],
  most = Infinity,
  usual = USUAL,
): { seeds: number[]; words: string } {
  const count = Math.min(Number(process.env.PARLEY_ODD_SEEDS ?? usual), most);
  const seeds = Array.from({ length: count }, (_, n) => FIRST + n);
  const kept = process.env.PARLEY_ODD_SEED === undefined ? corpus : [];
  return { seeds: [...kept, ...seeds], words: `${count} seeds from ${FIRST}, and ${kept.length} kept ones` };
}

/** Most failures that are told in full. */
const TOLD = 12;

/** Runs every seed, and fails with all that failed, not with the first alone. */
export async function tryAll(
  seeds: readonly number[],
  run: (seed: number) => Promise<void> | void,
): Promise<void> {
  const failed: [seed: number, error: Error & { actual?: unknown; expected?: unknown }][] = [];
  for (const seed of seeds)
    try {
      await run(seed);
    } catch (error) {
      failed.push([seed, error as Error]);
    }
  if (failed.length === 0) return;
  const told = failed
    .slice(0, TOLD)
    .map(([seed, { stack, actual, expected }]) => `seed ${seed}: ${stack}\n${inspect({ actual, expected })}`);
  const list = failed.map(([seed]) => seed).join(" ");
  throw new Error(`${failed.length} of ${seeds.length} seeds failed: ${list}\n\n${told.join("\n\n")}`);
}
