/** The windows of the rate limits: what remains, when they end, and how long a refused caller must wait. */
import { expect, test } from "vitest";
import { endpoints } from "../../../src/wire/endpoints/index.ts";
import { RateLimits } from "../../../src/provider/http/limits.ts";

const row = { op: "SendMessage", perMinute: 90 };
const MINUTE = 60_000;

/** The answer to a user's next call, `ms` into the minute, after sixty calls that used up the limit. */
function exhausted(ms: number): ReturnType<RateLimits["count"]> {
  const limits = new RateLimits(true);
  for (let n = 0; n < 60; n++) limits.count({ ...row, perMinute: 10_000 }, "web", "ann", MINUTE + n);
  return limits.count({ ...row, perMinute: 10_000 }, "web", "ann", MINUTE + ms);
}

test.each([
  [100, 60],
  [30_000, 30],
  [30_001, 30],
  [58_999, 2],
  [59_000, 1],
  [59_500, 1],
  [59_999, 1],
  [59_999.9, 1],
])("at %d ms of a minute a user over the limit waits %i s, and never less than a second", (ms, seconds) => {
  const budget = exhausted(ms);
  expect(budget).toMatchObject({ refused: true, reset: 120, retryAfter: seconds });
});

test("a user over the limit per second waits one second", () => {
  const limits = new RateLimits(true);
  for (let n = 0; n < 3; n++) expect(limits.count(row, "web", `u${n}`, MINUTE).refused).toBe(false);
  expect(limits.count(row, "web", "u3", MINUTE + 999)).toMatchObject({ refused: true, retryAfter: 1 });
  expect(limits.count(row, "web", "u3", MINUTE + 1000).refused).toBe(false);
});

test("a refused request does not count, and another platform or operation is counted separately", () => {
  const limits = new RateLimits(true);
  const small = { op: "A", perMinute: 2 };
  limits.count(small, "web", "ann", MINUTE);
  limits.count(small, "web", "ann", MINUTE + 1000);
  expect(limits.count(small, "web", "ann", MINUTE + 2000)).toMatchObject({ refused: true, remaining: 0 });
  expect(limits.count(small, "ios", "ann", MINUTE + 2000)).toMatchObject({ refused: false, remaining: 1 });
  expect(limits.count({ op: "B", perMinute: 2 }, "web", "ann", MINUTE + 2000).refused).toBe(false);
  expect(limits.count(small, "web", "ann", 2 * MINUTE)).toMatchObject({
    refused: false,
    remaining: 1,
    reset: 180,
  });
});

test("a server has no limit per user, but the limit of the app applies to it", () => {
  const limits = new RateLimits(true);
  const wide = { op: "A", perMinute: 3000 };
  for (let n = 0; n < 90; n++)
    expect(limits.count(wide, "server_side", "ann", MINUTE + n).refused).toBe(false);
});

test("limits that are only counted refuse nobody and never report fewer than 0 remaining requests", () => {
  const limits = new RateLimits(false);
  const small = { op: "A", perMinute: 2 };
  const all = Array.from({ length: 5 }, () => limits.count(small, "web", "ann", MINUTE));
  expect(all.map(({ refused }) => refused)).toEqual([false, false, false, false, false]);
  expect(all.map(({ remaining }) => remaining)).toEqual([1, 0, 0, 0, 0]);
});

test("the table tells what is left of each operation on each platform, counts nothing itself, and is full again in another minute", () => {
  const limits = new RateLimits(false);
  const { op, perMinute } = endpoints.queryUsers;
  for (const platform of ["web", "web", "ios"] as const)
    limits.count({ op, perMinute }, platform, "ann", MINUTE);
  const leftAt = (ms: number): unknown[] => {
    const { web, ios, android } = limits.table(["web", "ios", "android"], [op], ms);
    return [web, ios, android].map((table) => table?.[op]);
  };
  const entry = (used: number, reset: number) => ({ limit: perMinute, remaining: perMinute - used, reset });
  for (const _ of [1, 2]) expect(leftAt(2 * MINUTE - 1)).toEqual([2, 1, 0].map((used) => entry(used, 120)));
  expect(leftAt(2 * MINUTE)).toEqual([0, 0, 0].map((used) => entry(used, 180)));
});
