/** Seeded stories of three clients against the real handlers on the virtual clock: the delivery contract holds in every one (D1–D11, D14). */
import { expect, test } from "vitest";
import { TEST_PATIENCE } from "../support/patience.ts";
import { drawnSeed, runs } from "../support/proof.ts";
import { scriptOf } from "./script.ts";
import { shrink, describeShortest } from "./shrink.ts";
import { playSeed } from "./world.ts";

const FIRST = Number(process.env.PARLEY_SIM_SEED ?? drawnSeed("stories"));
const SEEDS = Number(process.env.PARLEY_SIM_SEEDS ?? runs(600, 12));

test(
  `${SEEDS} stories from ${FIRST} on keep the delivery contract`,
  { timeout: TEST_PATIENCE + SEEDS * 4000 },
  async () => {
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const { broken } = await playSeed(seed);
      if (broken.length === 0) continue;
      const short = await shrink(scriptOf(seed));
      expect.fail(
        `PARLEY_SIM_SEED=${seed} PARLEY_SIM_SEEDS=1 npx vitest run tests/sim/sim.test.ts\n${describeShortest(short, broken)}`,
      );
    }
  },
);
