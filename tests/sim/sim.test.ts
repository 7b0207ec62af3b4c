/** Seeded stories of three clients against the real handlers on the virtual clock: the delivery contract holds in every one (D1–D10, D14). */
import { expect, test } from "vitest";
import { tell } from "./world.ts";

const FIRST = Number(process.env.PARLEY_SIM_SEED ?? 1);
const SEEDS = Number(process.env.PARLEY_SIM_SEEDS ?? 300);

test(`${SEEDS} stories keep the delivery contract`, { timeout: 60_000 + SEEDS * 500 }, async () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const { broken } = await tell(seed);
    expect(
      broken,
      `seed ${seed}: PARLEY_SIM_SEED=${seed} PARLEY_SIM_SEEDS=1 npx vitest run tests/sim/sim.test.ts`,
    ).toEqual([]);
  }
});
