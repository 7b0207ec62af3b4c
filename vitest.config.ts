// Which tests run together and in which order: independent files share a process, slow ones start first, and the proof has the long runs.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { PATIENCE, TEST_PATIENCE } from "./tests/support/patience.ts";

/** Files that take many seconds, the slowest first. */
const LONG = [
  "e2e/proxy",
  "faults/",
  "cli/refused",
  "contract/routes",
  "cli/transcripts",
  "sim/sim",
  "net/",
  "cli/exit-codes",
  "e2e/",
  "cli/",
  "sim/",
  "provider/lifecycle/",
  "contract/",
  "package/debian",
  "provider/domain/garbage",
];

const testFiles = globSync("tests/**/*.test.{ts,tsx}", { cwd: import.meta.dirname });
const contains = (file: string, text: RegExp): boolean =>
  text.test(readFileSync(path.join(import.meta.dirname, file), "utf8"));

/** A mocked module is the real one for files that an earlier test in the same process has loaded. */
const MOCKING = testFiles.filter((file) => contains(file, /\bvi\.(?:mock|doMock)\(/));

/** Files that need their own process because they change or check it: folders, clocks, memory, signals, loaded modules. */
const ALONE = [
  ...MOCKING,
  "tests/cli/**",
  "tests/contract/tls.test.ts",
  "tests/e2e/**",
  "tests/faults/**",
  "tests/net/**",
  "tests/odd/screen.test.ts",
  "tests/provider/lifecycle/**",
  "tests/provider/store/**",
  "tests/open/**",
  "tests/tui/golden/code.test.tsx",
  "tests/tui/golden/typing.test.tsx",
  "tests/tui/render/cache-key.test.ts",
  "tests/text/without-segmenter.test.ts",
];

/** Only in the proof: they need minutes of faults over real sockets, an idle machine, an npm install or a second build; simulated stories are in every run. */
const PROVED_ONLY = [
  "tests/net/chaos.test.ts",
  "tests/package/added.test.ts",
  "tests/package/install.test.ts",
  "tests/provider/reader/worst.test.ts",
];

/** Files with times, which run a second time where the clocks are half an hour off and are changed twice a year. */
const TIMES = [
  "tests/zones/**",
  "tests/text/{times,when,short-when}.test.ts",
  "tests/config/time-style.test.ts",
  "tests/core/lists/reminders.test.ts",
  "tests/core/outbox/later.test.ts",
  "tests/tui/render/{message,edges}.test.ts",
  "tests/tui/views/composer/scheduled.test.ts",
  "tests/tui/views/lists/{actions,reminders}.test.{ts,tsx}",
  "tests/tui/views/preferences/do-not-disturb.test.tsx",
  "tests/tui/views/messages/range.test.tsx",
  "tests/commands/campaign/{file,guard-by-id,journal,pace,plan,report,campaign-queue}.test.ts",
];

/** Files with more to run than the suite does: those that use tests/support/proof.ts, its faults or stories of models. */
const PROVED = testFiles.filter(
  (file) => PROVED_ONLY.includes(file) || contains(file, /\/(support\/(proof|faults)|stories)\.ts"/),
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

/** A number derived from the tree under test, so that the proof of another tree plays other stories; a constant without git. */
function drawn(): string {
  try {
    const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { stdio: ["ignore", "pipe", "ignore"] });
    return String(createHash("sha256").update(tree).digest().readUInt32BE());
  } catch {
    return "1";
  }
}

const proof = process.env.PARLEY_PROOF === "1";
if (proof) process.env.PARLEY_PROOF_SEED ??= drawn();
/** Nothing is left out when files are named on the command line. */
const named = process.argv.slice(2).some((word) => /\btests\b|\.test\b/.test(word));
const left = named ? [] : PROVED_ONLY;
const files = (patterns: string[]): string[] =>
  patterns.map((one) =>
    /\.test\.tsx?$/.test(one)
      ? one
      : one.replace(/\*+$/, (stars) => `${stars}${stars === "**" ? "/*" : ""}.test.{ts,tsx}`),
  );

export default defineConfig({
  test: {
    // Longer than PATIENCE in tests/support/patience.ts, so that the failure names the condition waited for.
    testTimeout: TEST_PATIENCE,
    hookTimeout: TEST_PATIENCE,
    expect: { poll: { timeout: PATIENCE } },
    pool: "forks",
    maxWorkers: 5,
    env: { FORCE_COLOR: "3", TZ: "UTC" },
    sequence: { sequencer: LongFirst },
    restoreMocks: true,
    globalSetup: "tests/support/leftovers.ts",
    setupFiles: ["tests/support/no-own-limits.ts"],
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
              exclude: left,
            },
          },
          {
            extends: true,
            test: {
              name: "together",
              include: ["tests/**/*.test.{ts,tsx}"],
              exclude: [...files(ALONE), ...left],
              isolate: false,
              setupFiles: ["tests/support/settled-imports.ts"],
            },
          },
          {
            extends: true,
            test: {
              name: "zones",
              include: files(TIMES),
              isolate: false,
              setupFiles: ["tests/support/settled-imports.ts"],
              env: { TZ: "America/St_Johns" },
            },
          },
        ],
  },
});
