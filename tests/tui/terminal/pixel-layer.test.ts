/** Pixels over the rows: drawn after a frame, redrawn when a frame writes there, and blanked when removed. */
import { expect, test } from "vitest";
import { PixelLayer, writesIn } from "../../../src/tui/terminal/pixel-layer.ts";

const RECT = { x: 40, y: 5, width: 20, height: 4 };
/** How Ink's frames begin: from the last row up to the first. */
const TOP = "\x1b[39A";
/** A frame that writes `text` in one row from a column on. */
const changed = (row: number, column: number, text: string): string =>
  `${TOP}${"\x1b[E".repeat(row)}\x1b[${column + 1}G${text}\x1b[E`;

test.each([
  ["in the picture", changed(6, 45, "x"), true],
  ["before it in its row", changed(6, 10, "a row of messages"), false],
  ["into it from before", changed(6, 30, "a longer row of messages"), true],
  ["behind it", changed(6, 60, "x"), false],
  ["above it", changed(4, 45, "x"), false],
  ["below it", changed(9, 45, "x"), false],
  ["to the end of a row of it", `${TOP}\x1b[E\x1b[E\x1b[E\x1b[E\x1b[E\x1b[1Gab\x1b[K`, true],
  ["everything", "\x1b[H\x1b[J", true],
  ["who knows where", "text", true],
  [
    "a link before it",
    changed(6, 10, "\x1b]8;;https://example.com/long/long/long/long\x07ab\x1b]8;;\x07"),
    false,
  ],
  ["wide letters into it", changed(6, 36, "日本語"), true],
])("a frame that writes %s is checked for overwriting the picture", (_, frame, writes) => {
  expect(writesIn(frame, RECT, 40)).toBe(writes);
});

const LAYER = { rect: RECT, bytes: "<picture>" };
const DRAWN = "\x1b7\x1b[0m\x1b[6;41H<picture>\x1b8";
const BLANKED = `\x1b7\x1b[0m${[6, 7, 8, 9].map((row) => `\x1b[${row};41H${" ".repeat(20)}`).join("")}\x1b8`;

test("the picture is drawn once, after the rows of the next frame", () => {
  const layer = new PixelLayer();
  expect(layer.request(LAYER)).toBe(true);
  expect(layer.request({ ...LAYER })).toBe(false);
  expect(layer.addTo("frame", 40)).toBe(`frame${DRAWN}`);
  expect(layer.addTo(changed(20, 0, "typed"), 40)).toBe(changed(20, 0, "typed"));
  expect(layer.addTo("", 40)).toBe("");
});

test("the picture is drawn again after a frame that wrote over it", () => {
  const layer = new PixelLayer();
  layer.request(LAYER);
  layer.addTo("", 40);
  expect(layer.addTo("\x1b[H\x1b[J", 40)).toBe(`\x1b[H\x1b[J${DRAWN}`);
});

test("the picture is blanked before the frame that removes or replaces it", () => {
  const layer = new PixelLayer();
  layer.request(LAYER);
  layer.addTo("", 40);
  layer.request({ ...LAYER, bytes: "<next>" });
  expect(layer.addTo("frame", 40)).toBe(`${BLANKED}frame${DRAWN.replace("<picture>", "<next>")}`);
  layer.request(undefined);
  expect(layer.addTo("frame", 40)).toBe(`${BLANKED}frame`);
  expect(layer.addTo("frame", 40)).toBe("frame");
});

test("on a new screen the picture is drawn again without blanking", () => {
  const layer = new PixelLayer();
  layer.request(LAYER);
  layer.addTo("", 40);
  layer.markErased();
  expect(layer.addTo("frame", 40)).toBe(`frame${DRAWN}`);
});
