/** Matching words regardless of case and accents, and the positions of the matches. */
import { expect, test } from "vitest";
import { foldedWords, findWords } from "../../src/text/folded.ts";

test("words are letters, digits and underscores, in lower case without accents", () => {
  expect(foldedWords("Über das Café_2, nicht: wahr?")).toEqual(["uber", "das", "cafe_2", "nicht", "wahr"]);
  expect(foldedWords("…!")).toEqual([]);
});

test("words are found at the beginning of a word, with their positions in the original text", () => {
  const text = "Deploy the cafe\u0301 and the Café";
  const found = (...wanted: string[]): string[] =>
    findWords(text, wanted).map(({ start, end }) => text.slice(start, end));
  expect(found("dep", "cafe")).toEqual(["Deploy", "cafe\u0301", "Café"]);
  expect(found("ploy")).toEqual([]);
  expect(found()).toEqual([]);
});
