/** What a conversion does not use is counted by kind and reason, and only content counts as lost (specification/admin.md §10). */
import { expect, test } from "vitest";
import { Tally } from "../../src/jobs/tally.ts";

test("items with the same kind and reason are one row, losses are printed first", () => {
  const tally = new Tally();
  tally.add("notice", "somebody joined", 2);
  tally.add("notice", "somebody joined");
  tally.add("reply", "their parent is not in the file");
  tally.add("file", "more than 30 in a message", 0);
  expect(tally.rows).toEqual([
    { kind: "notice", reason: "somebody joined", count: 3, lost: false },
    { kind: "reply", reason: "their parent is not in the file", count: 1, lost: true },
  ]);
  expect(tally.lines).toEqual([
    "not used: 1 reply: their parent is not in the file",
    "not used: 3 notices: somebody joined",
  ]);
  expect(tally.lossWords).toBe("1 reply");
});

test("without a text, file, reply or reaction among them nothing is lost", () => {
  const tally = new Tally();
  tally.add("notice", "somebody joined");
  tally.add("field", "polls cannot be imported; their messages are");
  expect([tally.lossWords, tally.lines.length]).toEqual([undefined, 2]);
});

test("of very many reasons the first twenty are printed, and how many there are", () => {
  const tally = new Tally();
  for (let n = 0; n < 25; n++) tally.add("message", `the folder f${n} is of no channel`);
  expect([tally.lines.length, tally.lines.at(-1), tally.rows.length]).toEqual([
    21,
    "not used: 5 more reasons",
    25,
  ]);
});
