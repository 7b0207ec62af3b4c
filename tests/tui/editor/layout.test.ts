/** Visual rows: wrapping by words and cells, the cursor's cell, moving up and down, and the cost of long texts. */
import { describe, expect, test } from "vitest";
import { moveVertically } from "../../../src/tui/editor/edits.ts";
import { Layouter } from "../../../src/tui/editor/layout.ts";
import { createEditor, moveTo } from "../../../src/tui/editor/state.ts";

const cells = (g: string): number =>
  /[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3]|\p{Emoji_Presentation}|\ufe0f/u.test(g) ? 2 : 1;
const fresh = () => new Layouter(cells);

describe("rows", () => {
  test.each<[string, number, string[]]>([
    ["", 10, [""]],
    ["hello", 10, ["hello"]],
    ["hello world", 6, ["hello ", "world"]],
    ["hello  world", 5, ["hello", "world"]],
    ["abcdefgh", 3, ["abc", "def", "gh"]],
    ["a bcdefgh", 4, ["a ", "bcde", "fgh"]],
    ["ab cd1 x", 5, ["ab ", "cd1 x"]],
    ["a\n\nb", 5, ["a", "", "b"]],
    ["日本語", 4, ["日本", "語"]],
    ["日本語", 5, ["日本", "語"]],
    ["ab 日本", 4, ["ab ", "日本"]],
    ["👨‍👩‍👧👨‍👩‍👧", 2, ["👨‍👩‍👧", "👨‍👩‍👧"]],
    ["a\tb", 8, ["a   b"]],
    ["ä\tb", 8, ["ä   b"]],
    ["ä bc日", 4, ["ä ", "bc日"]],
    ["größe größe", 6, ["größe ", "größe"]],
  ])("%j in %i cells", (text, width, rows) =>
    expect(
      fresh()
        .layout(text, 0, width)
        .rows.map((r) => r.text),
    ).toEqual(rows),
  );

  test("the rows cover the text without gaps", () => {
    const text = "one two  three 日本語 four\nfive 👍🏽 six\n\n  seven";
    for (let width = 2; width < 20; width++) {
      const { rows } = fresh().layout(text, 0, width);
      expect(rows.map((r) => text.slice(r.start, r.end)).join("")).toBe(text.replaceAll("\n", ""));
    }
  });
});

describe("the cursor's cell", () => {
  test.each<[string, number, [row: number, col: number]]>([
    ["|", 4, [0, 0]],
    ["abc|", 4, [0, 3]],
    ["abcd|", 4, [1, 0]],
    ["日本|", 4, [1, 0]],
    ["ab|cd", 4, [0, 2]],
    ["abcd|efg", 4, [1, 0]],
    ["abcd |", 4, [1, 0]],
    ["abcd| ef", 4, [0, 3]],
    ["abcd |ef", 4, [1, 0]],
    ["a\n|b", 4, [1, 0]],
    ["a\n|", 4, [1, 0]],
    ["日|本", 4, [0, 2]],
    ["a\t|b", 8, [0, 4]],
  ])("of %j in %i cells", (marked, width, cell) => {
    const cursor = marked.indexOf("|");
    const { cursorRow, cursorCol } = fresh().layout(marked.replace("|", ""), cursor, width);
    expect([cursorRow, cursorCol]).toEqual(cell);
  });
});

describe("up and down", () => {
  const go = (marked: string, width: number, ...by: number[]): string | undefined => {
    const layouter = fresh();
    let state = moveTo(createEditor(marked.replace("|", "")), marked.indexOf("|"));
    for (const step of by) {
      const next = moveVertically(state, step, layouter.layout(state.text, state.cursor, width), layouter);
      if (!next) return undefined;
      state = next;
    }
    return `${state.text.slice(0, state.cursor)}|${state.text.slice(state.cursor)}`;
  };
  test.each<[string, number, number[], string | undefined]>([
    ["abc\nde|", 10, [-1], "ab|c\nde"],
    ["abc|\nd\nefg", 10, [1, 1], "abc\nd\nefg|"],
    ["abcdef|", 3, [-1], "abc|def"],
    ["ab|cdef", 3, [1], "abcde|f"],
    ["a|bc", 10, [-1], undefined],
    ["a|bc", 10, [1], undefined],
    ["日本\nabc|", 10, [-1], "日|本\nabc"],
    ["abcd ef|gh", 4, [-1], "ab|cd efgh"],
  ])("%j in %i cells by %j", (from, width, by, to) => expect(go(from, width, ...by)).toBe(to));
});

describe("long texts", () => {
  /** Graphemes measured by the most expensive keystroke after the first layout. */
  const mostMeasured = (texts: string[]): number => {
    let callCount = 0;
    const layouter = new Layouter((grapheme) => {
      callCount++;
      return cells(grapheme);
    });
    layouter.layout(texts[0]!, 0, 80);
    expect(callCount).toBeGreaterThan(10_000);
    return Math.max(
      ...texts.slice(1).map((text) => {
        callCount = 0;
        layouter.layout(text, text.length, 80);
        return callCount;
      }),
    );
  };
  const typed = (text: string): string[] => ["", "ä", "äb", "äbc", "äbcd"].map((more) => text + more);
  test("typing in 200 kB of 4,000 lines measures its own line only", () => {
    const lines = Array.from({ length: 4000 }, (_, i) => `${"wörd ".repeat(9)}${i}\n`).join("");
    expect(mostMeasured(typed(lines))).toBeLessThanOrEqual(8);
  });
  test("typing at the end of a line of 200 kB measures the last rows only", () =>
    expect(mostMeasured(typed("word 日本 ".repeat(25_000)))).toBeLessThan(500));
  test("a long line is laid out correctly after any edit", () => {
    const layouter = fresh();
    let edited = "word 日本 und wörter ".repeat(150);
    for (let i = 0; i < 150; i++) {
      const at = (i * 37) % (edited.length - 10);
      // Words grow, shrink and split at every column of a row.
      edited =
        edited.slice(0, at) + ["größer ", "", "x", " "][i % 4]! + edited.slice(at + [0, 2, 0, 1][i % 4]!);
      expect(layouter.layout(edited, at, 40)).toEqual(fresh().layout(edited, at, 40));
    }
    expect(edited.length).toBeGreaterThan(2048);
  });
  test("a long line is laid out anew when the width changes, also while it is typed on, and back again", () => {
    const layouter = fresh();
    let text = "word 日本 und wörter ".repeat(150);
    for (const width of [40, 60, 60, 40, 7, 40]) {
      text += "x";
      expect(layouter.layout(text, text.length, width)).toEqual(fresh().layout(text, text.length, width));
    }
  });
});
