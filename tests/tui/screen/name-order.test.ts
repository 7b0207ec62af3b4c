/** The order of names in lists. */
import { expect, test } from "vitest";
import { compareNames } from "../../../src/tui/screen/name-order.ts";
import { memberLines } from "../../../src/tui/views/members/members.ts";

test("numbers are ordered as numbers, and case and accents do not matter", () => {
  const names = ["Nr 10", "zoë", "nr 2", "Álvaro", "Nr 1", "Zoe"];
  expect(names.toSorted(compareNames)).toEqual(["Álvaro", "Nr 1", "nr 2", "Nr 10", "zoë", "Zoe"]);
});

test("the members of a channel have this order", () => {
  const members = new Map(
    ["Nr 10", "Nr 9"].map((name, i) => [`u${i}`, { user_id: `u${i}`, user: { id: `u${i}`, name } }] as const),
  );
  expect(memberLines(members as never).map(({ name }) => name)).toEqual(["Nr 9", "Nr 10"]);
});
