/** Stories of users who mark read and unread on several devices at once: unread counts end equal to the provider's (D9, R-READ-6). */
import { expect, test } from "vitest";
import { MARKS, scriptOf } from "./script.ts";
import { shrink, describeShortest } from "./shrink.ts";
import { playSeed } from "./world.ts";

const FIRST = Number(process.env.PARLEY_SIM_SEED ?? 200_001);
const SEEDS = Number(process.env.PARLEY_SIM_SEEDS ?? 5);

test.each(Array.from({ length: SEEDS }, (_, n) => FIRST + n))(
  "in story %i the unread counts end equal to the provider's",
  async (seed) => {
    const { broken } = await playSeed(seed, undefined, MARKS);
    if (broken.length === 0) return;
    const short = await shrink(scriptOf(seed, MARKS));
    expect.fail(
      `PARLEY_SIM_SEED=${seed} npx vitest run tests/sim/marks.test.ts\n${describeShortest(short, broken)}`,
    );
  },
);
