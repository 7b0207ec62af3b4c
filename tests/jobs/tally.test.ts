/** What a conversion does not use is counted by kind and reason, and only content counts as lost (specification/admin.md §10). */
import { expect, test } from "vitest";
import { unusedError, unusedLines } from "../../src/commands/import/unused.ts";
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
  expect(unusedLines(tally.rows)).toEqual([
    "not used: 1 reply: their parent is not in the file",
    "not used: 3 notices: somebody joined",
  ]);
  expect(unusedError(tally.rows)).toMatchObject({
    kind: "partial",
    message: "Not everything could be imported: 1 reply missing or cut.",
  });
});

test("without a text, file, reply or reaction among them nothing is lost", () => {
  const tally = new Tally();
  tally.add("notice", "somebody joined");
  tally.add("field", "polls cannot be imported; their messages are");
  const printed: string[] = [];
  expect([unusedError(tally.rows, (line) => printed.push(line)), printed.length]).toEqual([undefined, 2]);
});

test("of very many reasons the first twenty are printed, and how many there are", () => {
  const tally = new Tally();
  for (let n = 0; n < 25; n++) tally.add("message", `the folder f${n} is of no channel`);
  const lines = unusedLines(tally.rows);
  expect([lines.length, lines.at(-1), tally.rows.length]).toEqual([21, "not used: 5 more reasons", 25]);
});
