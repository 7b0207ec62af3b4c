/** A message with very many reactions shows a limited number of chips and a sign that there are more. */
import { expect, test } from "vitest";
import { reactionChips } from "../../../src/tui/render/reactions.ts";
import { context, group, message } from "./messages.ts";

const chips = (count: number): number =>
  reactionChips(
    message({
      reaction_groups: Object.fromEntries(Array.from({ length: count }, (_, n) => [`r${n}`, group(1, 10)])),
    }),
    80,
    context(),
  ).length;

test.each([
  [23, 23],
  [24, 24],
  [25, 25],
  [60, 25],
])("%i kinds of reactions are drawn as %i chips", (kinds, shown) => {
  expect(chips(kinds)).toBe(shown);
});

test("the twenty-fifth chip says that there are more", () => {
  const groups = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`r${n}`, group(1, 10)]));
  expect(reactionChips(message({ reaction_groups: groups }), 80, context()).at(24)!.text).toContain("…");
});
