/** When a call that was refused for its rate may be repeated: a budget is told apart from a count. */
import { expect, test } from "vitest";
import { problemText, readProblem } from "../../src/cli/base/problem.ts";
import { ApiError } from "../../src/model/errors.ts";
import { budgetOf, retryWait } from "../../src/wire/rate-limits.ts";

const NOW = 1_000_000;
const count = { limit: 60, remaining: 0, reset: 1030 };
const SPENT = { used: 2000, limit: 2000, remaining: 0 };
const budget = { ...count, remaining: 17 };

test.each([
  ["Retry-After", { retryAfter: 2000, rateLimit: count }, 2000],
  ["Retry-After, with calls left", { retryAfter: 2000, rateLimit: budget }, 2000],
  ["the end of the minute, without calls left", { rateLimit: count }, 30_000],
  ["nothing, with calls left: the end of the minute is not theirs", { rateLimit: budget }, undefined],
  ["nothing, with a budget that is used up", { rateLimit: count, budget: SPENT }, undefined],
  [
    "the end of the minute, with a budget of which something is left",
    { rateLimit: count, budget: { ...SPENT, remaining: 9 } },
    30_000,
  ],
  ["nothing", {}, undefined],
])("a refusal names %s", (_, refused, wait) => {
  expect(retryWait(refused, NOW)).toBe(wait);
});

test("the hint of a budget says that the work of the call is limited, not their number", () => {
  const refusal = (rateLimit: typeof count, cost?: typeof SPENT): string =>
    problemText(
      readProblem(
        new ApiError("too much", {
          status: 429,
          code: 9,
          body: {},
          rateLimit,
          retryAfter: 2000,
          budget: cost,
        }),
      ),
    );
  expect(refusal(budget)).toContain("hint: 17 calls are left: what this one costs is limited");
  expect(refusal(count, SPENT)).toContain("hint: 2000 of 2000 ms are used: what this one costs is limited");
  expect(refusal(count)).toContain("hint: run the same command again in 2 s");
});

test("a budget is read where all three of its headers are numbers", () => {
  const headers = { "x-budget-used-ms": "40", "x-budget-limit-ms": "2000", "x-budget-remaining-ms": "1960" };
  expect(budgetOf(headers)).toEqual({ used: 40, limit: 2000, remaining: 1960 });
  expect(budgetOf({ ...headers, "x-budget-limit-ms": "" })).toBeUndefined();
  expect(budgetOf({})).toBeUndefined();
});
