// Which tests run together and in which order: the long ones first, so that none of them is waited for alone at the end.
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take many seconds, the longest first. */
const LONG = [
  "cli/transcripts",
  "sim/sim",
  "net/chaos",
  "cli/endings",
  "net/cuts",
  "contract/routes",
  "contract/near-valid",
  "contract/fields",
  "provider/domain/garbage",
  "e2e/",
  "cli/",
  "sim/",
  "provider/life/",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((name) => moduleId.includes(`/tests/${name}`));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: "forks",
    maxWorkers: 2,
    include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"],
    env: { FORCE_COLOR: "3", TZ: "UTC" },
    sequence: { sequencer: LongFirst },
  },
});
