/** The shortcuts around the segmenter and the libraries' tables, which are too slow to load at start-up, return the same results. */
import { get } from "node-emoji";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { COMMON_EMOJI, emojiOf } from "../../src/text/emoji.ts";
import { graphemes } from "../../src/text/graphemes.ts";
import { graphemeWidth } from "../../src/text/width.ts";
import { spread } from "../support/proof.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const segmented = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);

const POINTS = [
  ...Array.from({ length: 0x300 }, (_, n) => 0x20 + n),
  ...Array.from({ length: 0x2800 - 0x2000 }, (_, n) => 0x2000 + n),
  ...Array.from({ length: 0x1fb00 - 0x1f000 }, (_, n) => 0x1f000 + n),
].map((point) => String.fromCodePoint(point));
const NEIGHBOURS = [
  "\x1b",
  "\x07",
  "a",
  " ",
  "👋",
  "→",
  "広",
  "\u{1f3fd}",
  "\u200d",
  "\ufe0f",
  "🇩",
  "\u0301",
];

test("symbols and emoji next to any neighbour have the same graphemes as in the segmenter", () => {
  const wrong: string[] = [];
  for (const point of spread(POINTS, 2000))
    for (const other of NEIGHBOURS)
      for (const text of [point + other, other + point, point + point + other])
        if (graphemes(text).join("|") !== segmented(text).join("|")) wrong.push(text);
  expect(wrong).toEqual([]);
});

test("a limit counts whole emoji", () => {
  expect(graphemes("👋a👋b👋", 3)).toEqual(["👋", "a", "👋"]);
  expect(graphemes("👋👋👋", 2)).toEqual(["👋", "👋"]);
});

test("symbols and emoji have the same width as in the library", () => {
  expect(POINTS.filter((point) => graphemeWidth(point) !== stringWidth(point))).toEqual([]);
});

test("the common reactions are those of the library", () => {
  for (const [name, emoji] of Object.entries(COMMON_EMOJI)) {
    expect(get(name), name).toBe(emoji);
    expect(emojiOf(name)).toBe(emoji);
  }
});
