/** Seeds that once failed, and those of a run: the same fixed ones each time, or as many as the environment says. */

/** Of single odd values (`seeds.test.ts`). */
export const VALUE_CORPUS: readonly number[] = [337];
/** Of whole stories (`stories.test.ts`). */
export const STORY_CORPUS: readonly number[] = [];

/** Of commands (`commands.test.ts`). */
export const COMMAND_CORPUS: readonly number[] = [];

const FIRST = Number(process.env.PARLEY_ODD_SEED ?? 1);
const COUNT = Number(process.env.PARLEY_ODD_SEEDS ?? 30);

/** `most`: how many a run may have at most. */
export function seedsOf(corpus: readonly number[], most = Infinity): { seeds: number[]; words: string } {
  const count = Math.min(COUNT, most);
  const seeds = Array.from({ length: count }, (_, n) => FIRST + n);
  const kept = process.env.PARLEY_ODD_SEED === undefined ? corpus : [];
  return { seeds: [...kept, ...seeds], words: `${count} seeds from ${FIRST}, and ${kept.length} kept ones` };
}
