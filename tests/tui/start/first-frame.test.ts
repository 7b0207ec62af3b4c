/** The frame saved for the next start: text and colours, row by row. */
import { expect, test } from "vitest";
import { plainRows } from "../../../src/tui/start/first-frame.ts";

test.each([
  ["colours stay", "\x1b[1;38;2;1;2;3mana\x1b[0m", "\x1b[1;38;2;1;2;3mana\x1b[0m"],
  ["moves, erasing and modes go", "\x1b[H\x1b[Ja\x1b[2Kb\x1b[?25h\x1b[3;4Hc", "abc"],
  [
    "addresses of links go, their words stay",
    "\x1b]8;;https://example.com/s3cret\x1b\\here\x1b]8;;\x07",
    "here",
  ],
  ["titles, pictures and what is cut off go", "\x1b]0;t\x07a\x1bPq123\x1b\\b\x1b_Gx\x1b\\c\x1b", "abc"],
  ["cells of a picture are blank", "\u{10EEEE}\u0305\u030d\u{10EEEE}\u0305x", "  x"],
  ["controls go", "a\x07\x08\rb\x9bc", "abc"],
])("%s", (_, frame, row) => {
  expect(plainRows(frame)).toEqual([row]);
});

test("each line is a row", () => {
  expect(plainRows("one\ntwo\n")).toEqual(["one", "two", ""]);
});
