/** Who of an audience receives nothing, and which of several reasons is told. */
import { expect, test } from "vitest";
import { surveyOf, type Exclusion } from "../../../src/commands/campaign/audience/exclusions.ts";
import type { User } from "../../../src/wire/entities/user.ts";

const NOBODY: ReadonlySet<string> = new Set();
const both = new Set(["bo", "cy"]);
const at = "2026-01-01T00:00:00Z";

/** The survey of ana, bo and cy, of whom the provider has these. */
async function survey(
  rules: object,
  users: readonly Partial<User>[] = [{ id: "ana" }, { id: "bo" }, { id: "cy" }],
) {
  const call = {
    core: { call: async () => ({ users }) },
    signal: new AbortController().signal,
    progress: () => {},
  };
  const people = await surveyOf(
    call as never,
    { targets: ["ana", "bo", "cy"].map((id) => ({ id })) } as never,
    {
      sender: "mira",
      optedOut: NOBODY,
      received: NOBODY,
      waiting: NOBODY,
      unproved: NOBODY,
      ...rules,
    },
  );
  return Object.fromEntries(people.map(({ id, exclusion }) => [id, exclusion]));
}

test.each<[Exclusion, object, (readonly Partial<User>[])?]>([
  ["received", { received: both }],
  ["waiting", { waiting: both }],
  ["unproved", { unproved: both }],
  ["opted_out", { optedOut: both }],
  ["unknown", {}, [{ id: "ana" }]],
  ["deleted", {}, [{ id: "ana" }, { id: "bo", deleted_at: at }, { id: "cy", deleted_at: at }]],
  ["deactivated", {}, [{ id: "ana" }, { id: "bo", deactivated_at: at }, { id: "cy", deactivated_at: at }]],
])("two who are %s receive nothing, the third does", async (exclusion, rules, users) => {
  expect(await survey(rules, users)).toEqual({ ana: undefined, bo: exclusion, cy: exclusion });
});

test("of several reasons what was done to somebody before comes first, then what they chose, then what they are", async () => {
  const sets = {
    received: new Set(["ana"]),
    waiting: new Set(["ana", "bo"]),
    unproved: new Set(["cy"]),
    optedOut: both,
  };
  expect(await survey(sets, [])).toEqual({ ana: "received", bo: "waiting", cy: "unproved" });
  expect(await survey({ optedOut: both, sender: "ana" }, [{ id: "ana" }])).toEqual({
    ana: "sender",
    bo: "opted_out",
    cy: "opted_out",
  });
});
