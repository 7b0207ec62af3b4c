/** Names that a pattern matches, and the words of a line with their positions. */
import { describe, expect, test } from "vitest";
import { globTest, isGlob } from "../../src/text/glob.ts";
import { lineWords } from "../../src/text/line-words.ts";

describe("a pattern", () => {
  test.each([
    ["*.png", ["a.png", "B.PNG"], ["a.jpg", ".hidden.png", "png", "a.png.bak"]],
    ["*.PNG", ["a.png", "b.Png", "C.PNG"], ["a.PNG.bak"]],
    ["Ü[A-C]?", ["üb1", "ÜC2"], ["ub1", "üD1"]],
    ["[!A]b", ["bB", "1b"], ["ab", "AB"]],
    ["a?c", ["abc", "a c"], ["ac", "abbc"]],
    ["[a-c]1", ["a1", "C1"], ["d1", "-1"]],
    ["[!a]1", ["b1"], ["a1"]],
    [".*", [".profile"], ["profile"]],
    ["*a*b", ["ab", "xaxxb"], ["ba", "abx"]],
    ["a[", ["a["], ["a"]],
    ["*", ["x", "ünï"], [".x"]],
  ])("%s matches %j and not %j", (pattern, fits, others) => {
    expect(fits.filter(globTest(pattern))).toEqual(fits);
    expect(others.filter(globTest(pattern))).toEqual([]);
  });

  test("with many stars is fast on a long name that does not match", () => {
    // A matcher that backtracks would never finish this one.
    expect(globTest(`${"*a".repeat(30)}*b`)("a".repeat(255))).toBe(false);
  });

  test("is any text with a star, a question mark or closed brackets", () => {
    expect(["*", "a?", "[ab]"].filter(isGlob)).toEqual(["*", "a?", "[ab]"]);
    expect(["a", "a[", "[]", ""].filter(isGlob)).toEqual([]);
  });
});

test("the words of a line have their start and whether their quote is open", () => {
  expect(lineWords(`/attach 'a b' c\\ d "e`)).toEqual([
    { start: 0, text: "/attach", openQuote: "" },
    { start: 8, text: "a b", openQuote: "" },
    { start: 14, text: "c d", openQuote: "" },
    { start: 19, text: "e", openQuote: '"' },
  ]);
  expect(lineWords("'a\\b'", (quote) => quote !== "'")).toEqual([{ start: 0, text: "a\\b", openQuote: "" }]);
});
