/** Runs seeded stories of a reference model against the real program, and shortens the first one that fails. */
import { expect, test } from "vitest";
import { drawnSeed, runs } from "../support/proof.ts";
import { TEST_PATIENCE } from "../support/patience.ts";
import { dice, type Dice } from "../support/seeded.ts";

/** A reference model: `script` draws a story as data, `play` runs its steps for real and returns a sentence for each broken promise. */
export interface Model<Step> {
  name: string;
  /** Stories per run of `npm test`, and per proof. */
  few: number;
  all: number;
  script(random: Dice): Step[];
  play(steps: readonly Step[], seed: number): Promise<string[]>;
  /** Stories that once failed, by what was wrong: played in every run. */
  kept?: Record<string, readonly Step[]>;
}

/** Plays at most this many shortened versions of a failing story. */
const MAX_SHORTENED = 60;

/** A story with fewer steps that still fails: leaves out halves, then quarters, down to single steps. */
async function shorten<Step>(model: Model<Step>, steps: Step[], seed: number): Promise<Step[]> {
  let [short, size, played] = [steps, Math.ceil(steps.length / 2), 0];
  while (size > 0 && played < MAX_SHORTENED) {
    let removed = false;
    for (let at = 0; at < short.length && played < MAX_SHORTENED; played++) {
      const fewer = short.toSpliced(at, size);
      if (fewer.length > 0 && (await model.play(fewer, seed)).length > 0) [short, removed] = [fewer, true];
      else at += size;
    }
    if (!removed || size > short.length) size = Math.floor(size / 2);
  }
  return short;
}

/** The broken promises of one seed's story; empty if all hold. */
export const playStory = <Step>(model: Model<Step>, seed: number): Promise<string[]> =>
  model.play(model.script(dice(seed)), seed);

/** Whether one of the stories from `first` on breaks a promise in words that match: for bugs planted on purpose. */
export async function findsBug<Step>(
  model: Model<Step>,
  sees: RegExp,
  first: number,
  stories: number,
): Promise<boolean> {
  for (let seed = first; seed < first + stories; seed++)
    if ((await playStory(model, seed)).some((broken) => sees.test(broken))) return true;
  return false;
}

/** Defines the test of a model. `PARLEY_MODEL_SEED` and `PARLEY_MODEL_SEEDS` choose its stories. */
export function testModel<Step>(model: Model<Step>): void {
  const { name, kept = {} } = model;
  for (const [was, steps] of Object.entries(kept))
    test(`a story of ${name} that once failed: ${was}`, async () => {
      expect(await model.play(steps, 1)).toEqual([]);
    });
  const first = Number(process.env.PARLEY_MODEL_SEED ?? drawnSeed(`model ${name}`));
  const count = Number(process.env.PARLEY_MODEL_SEEDS ?? runs(model.all, model.few));
  test(
    `${count} stories of ${name} from ${first} on keep every promise`,
    { timeout: TEST_PATIENCE + count * 4000 },
    async () => {
      for (let seed = first; seed < first + count; seed++) {
        const broken = await playStory(model, seed);
        if (broken.length === 0) continue;
        const short = await shorten(model, model.script(dice(seed)), seed);
        const again = await model.play(short, seed);
        const lines = short.map((step) => `  ${JSON.stringify(step)}`);
        expect.fail(
          `PARLEY_MODEL_SEED=${seed} PARLEY_MODEL_SEEDS=1 npx vitest run tests/models/${name}.test.ts\n${lines.join("\n")}\n${(again.length > 0 ? again : broken).join("\n")}`,
        );
      }
    },
  );
}
