/** Properties of the editor under any sequence of edits: undo restores, no half graphemes, the cursor between graphemes, pure functions. */
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  EDITS,
  MOTIONS,
  edit,
  insert,
  move,
  paste,
  type Edit,
  type Motion,
} from "../../../src/tui/editor/edits.ts";
import { nextBoundary, previousBoundary, toBoundary } from "../../../src/tui/editor/boundaries.ts";
import { Layouter } from "../../../src/tui/editor/layout.ts";
import { createEditor, redo, undo, type EditorState } from "../../../src/tui/editor/state.ts";

const PIECES = [
  "a",
  "b",
  " ",
  "\n",
  "é",
  "e\u0301",
  "\u0301",
  "日",
  "👍🏽",
  "👨‍👩‍👧",
  "🇩🇪",
  "🇩",
  "❤️",
  "\u200d",
  "한",
  "\t",
  "नी",
  "_",
  ".",
];
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((p) => p.join(""));

type Step = (s: EditorState) => EditorState;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom(...PIECES).map(
    (piece): Step =>
      (s) =>
        insert(s, piece),
  ),
  text.map(
    (t): Step =>
      (s) =>
        paste(s, t),
  ),
  fc.constantFrom(...(Object.keys(EDITS) as Edit[])).map(
    (name): Step =>
      (s) =>
        edit(s, name),
  ),
  fc
    .tuple(fc.constantFrom(...(Object.keys(MOTIONS) as Motion[])), fc.boolean())
    .map(([m, selects]): Step => (s) => ({
      ...move(s, m),
      ...(selects && { anchor: s.anchor ?? s.cursor }),
    })),
);
const steps = fc.array(step, { maxLength: 25 });
const boundaries = (t: string): Set<number> =>
  new Set([...Array.from(new Intl.Segmenter().segment(t), (g) => g.index), t.length]);

describe("after any edits", () => {
  test("the cursor and the selection are between graphemes, and the text is well-formed", () =>
    fc.assert(
      fc.property(text, steps, (start, all) => {
        let s = createEditor(start);
        for (const one of all) {
          s = one(s);
          expect(boundaries(s.text).has(s.cursor)).toBe(true);
          expect(s.text.isWellFormed()).toBe(true);
          if (s.anchor !== undefined) expect(s.anchor).toBeLessThanOrEqual(s.text.length);
        }
      }),
      { numRuns: 300 },
    ));

  test("undoing everything restores the start, and redoing everything the end", () =>
    fc.assert(
      fc.property(text, fc.array(step, { maxLength: 25 }), (start, all) => {
        let s = createEditor(start);
        for (const one of all) {
          const next = one(s);
          // Undo and redo steps are applied like all others; only the final text counts here.
          s = next;
        }
        const final = s.text;
        const redone = s.redo.length;
        let back = s;
        while (back.undo.length > 0) back = undo(back);
        expect(back.text).toBe(createEditor(start).text);
        let again = back;
        while (again.redo.length > redone) again = redo(again);
        expect(again.text).toBe(final);
      }),
      { numRuns: 300 },
    ));

  test("a typed and deleted letter changes nothing", () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", " ", "日", "👍🏽", "👨‍👩‍👧", "🇩🇪", "\n", "é"), { maxLength: 20 }),
        fc.nat(20),
        (pieces, position) => {
          const whole = createEditor(pieces.join(""));
          let s = move(whole, "start");
          for (let i = 0; i < position; i++) s = move(s, "right");
          const after = edit(insert(s, "q"), "backspace");
          expect([after.text, after.cursor]).toEqual([s.text, s.cursor]);
        },
      ),
    ));
});

test("boundaries near an offset are those of the whole text", () =>
  fc.assert(
    fc.property(text, fc.nat(60), (t, n) => {
      const all = [...boundaries(t)].toSorted((a, b) => a - b);
      const at = Math.min(n, t.length);
      expect(nextBoundary(t, at)).toBe(all.find((b) => b > at) ?? t.length);
      expect(previousBoundary(t, at)).toBe(all.findLast((b) => b < at) ?? 0);
      expect(toBoundary(t, at)).toBe(all.findLast((b) => b <= at) ?? 0);
    }),
    { numRuns: 500 },
  ));

test("no row is too wide, and the cursor is on the row that contains it", () =>
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 12 }), fc.nat(60), (t, width, n) => {
      const wide = (g: string): number => (/[日한👍👨🇩❤]/u.test(g) ? 2 : 1);
      const cursor = toBoundary(t, Math.min(n, t.length));
      const { rows, cursorRow, cursorCol } = new Layouter(wide).layout(t, cursor, width);
      for (const row of rows) {
        const cells = Array.from(new Intl.Segmenter().segment(row.text), (g) => wide(g.segment));
        expect(cells.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(width);
      }
      expect(rows[cursorRow]!.start).toBeLessThanOrEqual(cursor);
      expect(rows[cursorRow]!.end).toBeGreaterThanOrEqual(cursor);
      expect(cursorCol).toBeLessThan(width);
    }),
    { numRuns: 300 },
  ));

test("typing at the end of a 200 kB paste segments only nearby text", () => {
  let s = paste(createEditor(), "日本語 text 👍🏽 ".repeat(14_000));
  const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
  try {
    for (let i = 0; i < 50; i++) s = insert(s, "é");
    for (let i = 0; i < 50; i++) s = edit(s, "backspace");
    const read = segment.mock.calls.reduce((sum, [text]) => sum + text!.length, 0);
    expect(segment).toHaveBeenCalled();
    // The 50 typed letters contain no safe boundary, so each key may read all of them, but never the paste.
    expect(read / 100).toBeLessThan(300);
  } finally {
    segment.mockRestore();
  }
});
