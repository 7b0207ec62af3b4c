/** A person's limits are what the headers of answers tell: by operation, with the budget of costly ones. */
import { expect, test } from "vitest";
import { ownLimits } from "../../src/commands/limits/probes.ts";
import { signToken } from "../../src/wire/token.ts";
import { coreOn } from "../support/core-on.ts";

const SECRET = "s".repeat(32);
const COUNT = { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "59", "x-ratelimit-reset": "1800000000" };
const COST = { "x-budget-used-ms": "40", "x-budget-limit-ms": "2000", "x-budget-remaining-ms": "1960" };

function person(answers: Readonly<Record<string, Record<string, string>>>) {
  const asked: string[] = [];
  const core = coreOn(
    "http://provider",
    { secret: SECRET, calls: { timeout: 1000, retries: 0, signal: new AbortController().signal } },
    {
      unchecked: true,
      request: async ({ method, url }) => {
        const route = `${method} ${new URL(url).pathname}`;
        asked.push(route);
        return { status: 200, headers: answers[route] ?? {}, text: "{}" };
      },
    },
  );
  core.setUser({ id: "mira" }, signToken({ user_id: "mira" }, SECRET));
  return { core, asked };
}

test("each of six reads is asked once, and those whose headers tell nothing are left out", async () => {
  const { core, asked } = person({ "POST /channels": { ...COUNT, ...COST }, "GET /users": COUNT });
  expect(await ownLimits(core, [])).toEqual([
    {
      operation: "QueryChannels",
      limit: 60,
      remaining: 59,
      reset: 1_800_000_000,
      budget: { used: 40, limit: 2000, remaining: 1960 },
    },
    { operation: "QueryUsers", limit: 60, remaining: 59, reset: 1_800_000_000 },
  ]);
  expect(new Set(asked).size).toBe(6);
  expect(asked.length).toBe(6);
});

test("what an earlier answer told is shown without a call, and what none told is not made up", async () => {
  const { core, asked } = person({ "GET /og": COUNT });
  await core.call("getOG", { query: { url: "https://example.org" } });
  expect(await ownLimits(core, ["GetOG"])).toMatchObject([{ operation: "GetOG", remaining: 59 }]);
  expect(asked).toEqual(["GET /og"]);
  await expect(ownLimits(core, ["SendMessage"])).rejects.toMatchObject({ kind: "notFound" });
});
