/** Chord names: key files, the parser and help use the same names for the same keys. */
import { describe, expect, test } from "vitest";
import { chordsOf, parseChord, showChord } from "../../../src/tui/input/chord.ts";

describe("names of chords", () => {
  test.each([
    ["C-k", "C-k"],
    ["Ctrl-K", "C-k"],
    ["ctrl+k", "C-k"],
    ["^K", "C-k"],
    ["^_", "C-_"],
    ["Alt-1", "A-1"],
    ["M-a", "A-a"],
    ["A-A", "A-S-a"],
    ["Alt-Shift-a", "A-S-a"],
    ["Alt-A", "A-a"],
    ["Shift-Tab", "S-tab"],
    ["S-tab", "S-tab"],
    ["Alt-↑", "A-up"],
    ["PgUp", "pageup"],
    ["Page-Up", "pageup"],
    ["Escape", "esc"],
    ["F1", "f1"],
    ["G", "G"],
    ["g", "g"],
    ["Shift-g", "G"],
    ["?", "?"],
    ["-", "-"],
    ["C--", "C--"],
    ["Ctrl-Shift-K", "C-S-k"],
    ["alt+ctrl+x", "C-A-x"],
    [" ", "space"],
    ["C-\\", "C-\\"],
    ["é", "é"],
  ])("%s is read as %s", (written, canonical) => {
    expect(parseChord(written)).toBe(canonical);
    expect(parseChord(canonical)).toBe(canonical);
  });
  test.each(["", "C-", "Hyper-x", "C-foo", "f99", "ab", "\x1b"])("%j names no key", (written) =>
    expect(parseChord(written)).toBeUndefined(),
  );
});

test("each grapheme of a text is a chord", () => {
  expect(chordsOf({ type: "text", text: "gG 👍🏽é" })).toEqual(["g", "G", "space", "👍🏽", "é"]);
  expect(chordsOf({ type: "paste", text: "gg" })).toEqual([]);
});

test.each([
  ["C-k", "Ctrl-K"],
  ["A-S-a", "Alt-Shift-A"],
  ["A-up", "Alt-↑"],
  ["S-tab", "Shift-Tab"],
  ["f1", "F1"],
  ["G", "G"],
  ["g", "g"],
  ["pageup", "PgUp"],
  ["C-_", "Ctrl-_"],
])("%s is shown as %s", (chord, shown) => expect(showChord(chord)).toBe(shown));
