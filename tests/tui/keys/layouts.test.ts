/** Letters of other alphabets as the keys in their places. */
import { expect, test } from "vitest";
import { SETTINGS } from "../../../src/config/settings.ts";
import { chordByPlace, type KeyboardLayout } from "../../../src/tui/keys/layouts.ts";

test.each([
  ["о", "auto", "j"],
  ["О", "auto", "J"],
  ["Ж", "auto", ":"],
  ["A-к", "auto", "A-r"],
  ["C-S-я", "auto", "C-S-z"],
  ["ί", "auto", "i"],
  ["і", "belarusian", "b"],
  ["т", "bulgarian", "j"],
  ["в", "bulgarian-phonetic", "w"],
  ["з", "serbian", "z"],
  ["٣", "auto", "3"],
  ["३", "us", "3"],
  ["о", "us", undefined],
  ["é", "auto", undefined],
  ["好", "auto", undefined],
  ["가", "auto", undefined],
  ["👍", "auto", undefined],
  ["j", "auto", undefined],
] as const)("%s on the layout %s is %s", (chord, layout, key) => {
  expect(chordByPlace(chord, layout)).toBe(key);
});

test("the ten digits of every script are the keys 0 to 9 in order, up to the last", () => {
  const characters = Array.from({ length: 0x11_0000 }, (_, code) => code)
    .filter((code) => code > 0x7f && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code));
  const digits = characters.filter((character) => /^\p{Nd}$/u.test(character));
  expect(digits.length).toBeGreaterThan(600);
  // The layout "us" has no letters of its own in these places.
  const keys = digits.map((digit) => chordByPlace(digit, "us")).join("");
  expect(keys).toBe("0123456789".repeat(digits.length / 10));
  expect(["A-٩", "C-९", "S-๙"].map((chord) => chordByPlace(chord, "us"))).toEqual(["A-9", "C-9", "S-9"]);
});

test("the setting offers the layouts there are", () => {
  const choices: readonly string[] = SETTINGS["keys.layout"].choices;
  const known = choices.map((one) => chordByPlace("а", one as KeyboardLayout));
  expect(known).toEqual(["f", "f", "d", "a", "a", "a", undefined]);
});
