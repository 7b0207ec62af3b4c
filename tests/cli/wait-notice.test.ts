/** What a command says while its calls wait for the provider's limit (specification/errors.md §5). */
import { expect, test } from "vitest";
import type { Shell } from "../../src/cli/base/shell.ts";
import { callDefaults } from "../../src/cli/run/run.ts";

test("calls that wait for the same moment say so once, and a later wait is said again", () => {
  let now = 0;
  const said: string[] = [];
  const shell = {
    settings: { timeout: 1, retries: 1, maxWait: 1 },
    flags: {},
    host: { now: () => now },
    err: { write: (text: string) => void said.push(text.trim()) },
  } as unknown as Shell;
  const { onPatience } = callDefaults(shell);
  for (const [at, ms] of [
    [0, 30_000],
    [10, 29_990],
    [200, 30_100],
    [31_000, 5000],
  ] as const) {
    now = at;
    onPatience!(ms);
  }
  expect(said).toEqual(["the provider limits calls: waiting 30 s", "the provider limits calls: waiting 5 s"]);
});
