// Which tests run together and in which order: files that share nothing share a process, the long ones start first, and the proof runs what is sampled here whole.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take many seconds, the longest first. */
const LONG = [
  "e2e/proxy",
  "faults/",
  "cli/refused",
  "contract/routes",
  "cli/transcripts",
  "sim/sim",
  "net/",
  "cli/endings",
  "e2e/",
  "cli/",
  "sim/",
  "provider/lifecycle/",
  "contract/",
  "provider/domain/garbage",
];

/** Files that change what belongs to their process, or judge it: folders, clocks, memory, signals, what is loaded. */
const ALONE = [
  "tests/cli/**",
  "tests/contract/tls.test.ts",
  "tests/e2e/**",
  "tests/faults/**",
  "tests/net/**",
  "tests/provider/lifecycle/**",
  "tests/provider/store/**",
  "tests/open/**",
  "tests/tui/golden/code.test.tsx",
  "tests/tui/golden/typing.test.tsx",
  "tests/tui/render/cache-key.test.ts",
  "tests/text/without-segmenter.test.ts",
];

/** Where most of the time goes: a run of all tests plays a drawn part of each folder, one in so many files; the proof plays them whole. */
const SAMPLED: Readonly<Record<string, number>> = {
  "tests/e2e": 4,
  "tests/cli": 4,
  "tests/package": 2,
  "tests/contract": 3,
  "tests/provider/domain": 3,
  "tests/provider/lifecycle": 2,
};

/** Minutes of faults over real sockets, a machine that does nothing else, an installation by npm; the stories on the virtual clock are in every run. */
const PROVED_ONLY = [
  "tests/net/chaos.test.ts",
  "tests/package/install.test.ts",
  "tests/provider/reader/worst.test.ts",
];

/** What has a longer form than `npm test` has time for: all that asks tests/support/proof.ts, itself or for its faults, and what is sampled. */
const PROVED = globSync("tests/**/*.test.{ts,tsx}", { cwd: import.meta.dirname }).filter(
  (file) =>
    PROVED_ONLY.includes(file) ||
    path.dirname(file) in SAMPLED ||
    /\/support\/(proof|faults)\.ts"/.test(readFileSync(path.join(import.meta.dirname, file), "utf8")),
);

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((name) => moduleId.includes(`/tests/${name}`));
      return at < 0 ? LONG.length : at;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** The tree under test as a number, so that another tree draws another sample; a fixed one where there is no git. */
function drawn(): string {
  try {
    const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { stdio: ["ignore", "pipe", "ignore"] });
    return String(createHash("sha256").update(tree).digest().readUInt32BE());
  } catch {
    return "1";
  }
}

const proof = process.env.PARLEY_PROOF === "1";
const sample = (process.env.PARLEY_SAMPLE ??= drawn());
/** Whoever names files wants those. */
const named = process.argv.slice(2).some((word) => /\btests\b|\.test\b/.test(word));
const rank = (file: string): string => createHash("sha256").update(`${sample} ${file}`).digest("hex");

/** The files of a folder that this run leaves out. */
function leftOut([folder, oneIn]: [string, number]): string[] {
  const all = globSync(`${folder}/*.test.ts`, { cwd: import.meta.dirname });
  const drawnFirst = all.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return drawnFirst.slice(Math.ceil(all.length / oneIn));
}
const unsampled = named ? [] : [...PROVED_ONLY, ...Object.entries(SAMPLED).flatMap(leftOut)];
const files = (patterns: string[]): string[] =>
  patterns.map((one) =>
    /\.test\.tsx?$/.test(one)
      ? one
      : one.replace(/\*+$/, (stars) => `${stars}${stars === "**" ? "/*" : ""}.test.{ts,tsx}`),
  );

export default defineConfig({
  test: {
    // Above PATIENCE of tests/support/patience.ts, so that what was waited for is named.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 30_000 } },
    pool: "forks",
    maxWorkers: 5,
    env: { FORCE_COLOR: "3", TZ: "UTC" },
    sequence: { sequencer: LongFirst },
    restoreMocks: true,
    globalSetup: "tests/support/leftovers.ts",
    projects: proof
      ? [
          { extends: true, test: { name: "proof", include: PROVED } },
          {
            extends: true,
            test: {
              name: "undisturbed",
              include: ["tests/provider/reader/worst.test.ts"],
              env: { PARLEY_WORST: "1000000" },
              sequence: { groupOrder: 1 },
            },
          },
        ]
      : [
          {
            extends: true,
            test: {
              name: "alone",
              include: files(ALONE),
              exclude: unsampled,
            },
          },
          {
            extends: true,
            test: {
              name: "together",
              include: ["tests/**/*.test.{ts,tsx}"],
              exclude: [...files(ALONE), ...unsampled],
              isolate: false,
            },
          },
        ],
  },
});
