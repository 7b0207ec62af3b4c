/** No golden screen cuts a text beside free cells of its own pane or box. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What ends with the sign because it goes on, not because it is cut. */
const GOES_ON = /(?:typing|loading|connecting|reconnecting|sync|catching up)\s?…/;
/** A cut text before four or more free cells that end at a border, a rail or a thumb. */
const CUT = /…( {4,})[│▐║]/;

const cutsBesideFreeCells = (line: string): boolean => CUT.test(line) && !GOES_ON.test(line);

test("the rule finds a text that is cut before free cells, and no other", () => {
  expect(cutsBesideFreeCells(" │   empty-state.png   240×150  …          │")).toBe(true);
  expect(cutsBesideFreeCells(" │ ana: a text that is too lon… │")).toBe(false);
  expect(cutsBesideFreeCells(" │ Ana and Bo are typing…               │")).toBe(false);
});

test("no text is cut beside free cells of its own pane", () => {
  const files = globSync("tests/tui/**/*.{snap,test.tsx}");
  const cut = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, i) => (cutsBesideFreeCells(line) ? [`${file}:${i + 1}: ${line}`] : [])),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(cut).toEqual([]);
});
