/** When a call that was refused for its rate may be repeated: a budget is told apart from a count. */
import { expect, test } from "vitest";
import { problemText, readProblem } from "../../src/cli/base/problem.ts";
import { ApiError } from "../../src/model/errors.ts";
import { retryWait } from "../../src/wire/rate-limits.ts";

const NOW = 1_000_000;
const count = { limit: 60, remaining: 0, reset: 1030 };
const budget = { ...count, remaining: 17 };

test.each([
  ["Retry-After", { retryAfter: 2000, rateLimit: count }, 2000],
  ["Retry-After, with calls left", { retryAfter: 2000, rateLimit: budget }, 2000],
  ["the end of the minute, without calls left", { rateLimit: count }, 30_000],
  ["nothing, with calls left: the end of the minute is not theirs", { rateLimit: budget }, undefined],
  ["nothing", {}, undefined],
])("a refusal names %s", (_, refused, wait) => {
  expect(retryWait(refused, NOW)).toBe(wait);
});

test("the hint of a budget says that the work of the call is limited, not their number", () => {
  const refusal = (rateLimit: typeof count): string =>
    problemText(
      readProblem(new ApiError("too much", { status: 429, code: 9, body: {}, rateLimit, retryAfter: 2000 })),
    );
  expect(refusal(budget)).toContain("hint: 17 calls are left: what this one costs is limited");
  expect(refusal(count)).toContain("hint: run the same command again in 2 s");
});
