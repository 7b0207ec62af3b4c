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

test("the setting offers the layouts there are", () => {
  const choices: readonly string[] = SETTINGS["keys.layout"].choices;
  const known = choices.map((one) => chordByPlace("а", one as KeyboardLayout));
  expect(known).toEqual(["f", "f", "d", "a", "a", "a", undefined]);
});
