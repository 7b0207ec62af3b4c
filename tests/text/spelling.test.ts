/** The number of typing errors between two words: each added, missing, changed or swapped letter counts as one. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance } from "../../src/text/spelling.ts";

test.each([
  ["send", "send", 0],
  ["sned", "send", 1],
  ["sedn", "send", 1],
  ["chanel", "channel", 1],
  ["channnel", "channel", 1],
  ["chinnel", "channel", 1],
  ["limt", "limits", 2],
  ["", "send", 4],
  ["abcd", "dcba", 3],
])("%j and %j are %i errors apart", (a, b, slips) => {
  expect(editDistance(a, b)).toBe(slips);
  expect(editDistance(b, a)).toBe(slips);
});

test("one typing error anywhere counts as one", () => {
  const word = fc.string({ minLength: 2, maxLength: 12, unit: fc.constantFrom(..."abcde") });
  fc.assert(
    fc.property(word, fc.nat(), (text, place) => {
      const at = place % (text.length - 1);
      expect(editDistance(text, text.slice(0, at) + text.slice(at + 1))).toBe(1);
      expect(editDistance(text, `${text.slice(0, at)}x${text.slice(at)}`)).toBe(1);
      expect(editDistance(text, `${text.slice(0, at)}x${text.slice(at + 1)}`)).toBe(1);
      const swapped = text.slice(0, at) + text[at + 1]! + text[at]! + text.slice(at + 2);
      expect(editDistance(text, swapped)).toBe(swapped === text ? 0 : 1);
    }),
  );
});
