/** Which errors concern one of several items, and which the whole run. */
import { expect, test } from "vitest";
import { CommandError } from "../../src/commands/base/define-command.ts";
import { Outcomes } from "../../src/commands/base/bulk/outcomes.ts";

const api = (status: number): Error => Object.assign(new Error("no"), { name: "ApiError", status });

test.each([
  [400, true],
  [401, false],
  [403, true],
  [404, true],
  [408, false],
  [409, true],
  [413, true],
  [429, false],
  [499, true],
  [500, false],
  [503, false],
])("an answer of HTTP %i concerns its item alone: %s", async (status, alone) => {
  const outcomes = new Outcomes();
  const tried = outcomes.try("a", () => Promise.reject(api(status)));
  if (!alone) return expect(tried).rejects.toMatchObject({ status });
  await tried;
  await outcomes.try("b", async () => "done");
  expect([outcomes.failures, outcomes.written]).toEqual([1, 1]);
  expect(() => outcomes.end()).toThrow("1 of 2 failed: a (no).");
});

test.each([
  ["notFound", true],
  ["notAllowed", true],
  ["conflict", true],
  ["rejected", true],
  ["unknown", true],
  ["usage", false],
  ["unavailable", false],
  ["pending", false],
] as const)("a CommandError %s concerns its item alone: %s", (kind, alone) => {
  const failed = (): boolean => new Outcomes().failed(["a"], new CommandError(kind, "no"));
  if (alone) expect(failed()).toBe(true);
  else expect(failed).toThrow("no");
});
