/** Which cells of a pane a drag of the mouse marks. */
import { expect, test } from "vitest";
import { dragIn, withDragTo, withSelection, type Drag } from "../../../src/tui/screen/selection.ts";

const PANE = { x: 10, y: 5, width: 4, height: 3 };
const mark = (text: string): string => `\x1b[7m${text}\x1b[27m`;
const ROWS = ["abcd", "efgh", "ijkl"];
const marked = (from: { x: number; y: number }, to: { x: number; y: number }): string[] =>
  withSelection(ROWS, withDragTo({ from } as Drag, PANE, to) as Required<Drag>, mark).map((row) =>
    row
      .replaceAll("\x1b[7m", "[")
      .replaceAll("\x1b[27m", "]")
      .replaceAll(/\x1b\[[\d;]*m/g, ""),
  );

test("within a row the cells from one end to the other are marked, in both directions", () => {
  expect(marked({ x: 11, y: 5 }, { x: 12, y: 5 })).toEqual(["a[bc]d", "efgh", "ijkl"]);
  expect(marked({ x: 12, y: 5 }, { x: 11, y: 5 })).toEqual(["a[bc]d", "efgh", "ijkl"]);
});

test("over several rows all between the ends is marked, in both directions", () => {
  const all = ["ab[cd]", "[efgh]", "[ij]kl"];
  expect(marked({ x: 12, y: 5 }, { x: 11, y: 7 })).toEqual(all);
  expect(marked({ x: 11, y: 7 }, { x: 12, y: 5 })).toEqual(all);
});

test("outside the pane the drag ends at its nearest cell, and it belongs to this pane alone", () => {
  expect(marked({ x: 12, y: 6 }, { x: 90, y: 90 })).toEqual(["abcd", "ef[gh]", "[ijkl]"]);
  const drag = withDragTo({ from: { x: 12, y: 6 } } as Drag, PANE, { x: 0, y: 0 });
  expect(dragIn(drag, PANE)).toBe(drag);
  expect(dragIn(drag, { ...PANE, height: 2 })).toBeUndefined();
  expect(dragIn(drag, { ...PANE, x: 9 })).toBeUndefined();
});
