/** Chaos over real sockets: nothing is lost or doubled, and every client ends with the provider's state (D1–D10, D14). */
import { expect, test } from "vitest";
import { TEST_PATIENCE } from "../support/patience.ts";
import { PROOF, drawnSeed } from "../support/proof.ts";
import { chaos } from "./chaos.ts";

const FIRST = Number(process.env.PARLEY_CHAOS_SEED ?? drawnSeed("chaos"));
const SEEDS = Number(process.env.PARLEY_CHAOS_SEEDS ?? 1);
/** Milliseconds of faults per run. */
const LENGTH = Number(process.env.PARLEY_CHAOS_MS ?? (PROOF ? 60_000 : 11_000));

test.each(Array.from({ length: SEEDS }, (_, n) => FIRST + n))(
  "the delivery contract holds in the chaos of seed %i",
  { timeout: LENGTH + TEST_PATIENCE },
  async (seed) => {
    const { broken, faults, kills, crashes, sent } = await chaos(seed, LENGTH);
    if (broken.length > 0)
      expect.fail(`PARLEY_CHAOS_SEED=${seed} npx vitest run tests/net/chaos.test.ts\n${broken.join("\n")}`);
    if (LENGTH >= 11_000) expect(faults).toBeGreaterThanOrEqual(40);
    expect(Math.min(kills, crashes)).toBeGreaterThan(0);
    expect(sent).toBeGreaterThan(50);
  },
);
