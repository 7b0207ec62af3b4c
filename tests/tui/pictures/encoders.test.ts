/** The bytes of each picture format: half-block colours, kitty commands reassembled, and the iTerm2 file. */
import { expect, test } from "vitest";
import { clean } from "../../../src/text/sanitize.ts";
import { cellWidth, plain } from "../../../src/text/width.ts";
import { halfBlockRows, nearest256 } from "../../../src/tui/pictures/half-blocks.ts";
import { iterm2Bytes } from "../../../src/tui/pictures/drawing.ts";
import {
  abortCommand,
  deleteSequence,
  imageId,
  placeholderRows,
  uploadCommands,
} from "../../../src/tui/pictures/kitty.ts";
import { cellsFor } from "../../../src/tui/pictures/size.ts";
import { pixels } from "../../support/picture-files.ts";

const CELL = { width: 10, height: 20 };

test("the upper pixel is the foreground, the lower one the background, and the row ends without colour", () => {
  const rgba = pixels(2, 2, (x, y) => [x * 100, y * 50, 7]);
  expect(halfBlockRows(rgba, { width: 2, height: 2 }, 3)).toEqual([
    "\x1b[38;2;0;0;7;48;2;0;50;7m▀\x1b[38;2;100;0;7;48;2;100;50;7m▀\x1b[39;49m",
  ]);
});

test("adjacent cells of one colour set it once", () => {
  const [row] = halfBlockRows(
    pixels(3, 2, () => [1, 2, 3]),
    { width: 3, height: 2 },
    3,
  );
  expect(row).toBe("\x1b[38;2;1;2;3;48;2;1;2;3m▀▀▀\x1b[39;49m");
});

test("transparent pixels show the terminal's background", () => {
  const seen = [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const;
  const rgba = pixels(4, 2, (x, y) => [9, 9, 9, seen[x]![y] ? 255 : 0]);
  expect(plain(halfBlockRows(rgba, { width: 4, height: 2 }, 3)[0]!)).toBe("▀▀▄ ");
});

test("an odd last line has no lower pixel", () => {
  const rows = halfBlockRows(
    pixels(1, 3, () => [5, 5, 5]),
    { width: 1, height: 3 },
    3,
  );
  expect(rows.map(plain)).toEqual(["▀", "▀"]);
  expect(rows[1]).toContain(";49m");
});

test("in 256 colours the nearest of the cube or the greys is used", () => {
  expect([nearest256(255, 0, 0), nearest256(0, 0, 0), nearest256(255, 255, 255)]).toEqual([196, 16, 231]);
  expect([nearest256(128, 128, 128), nearest256(95, 135, 175)]).toEqual([244, 67]);
  const [row] = halfBlockRows(
    pixels(1, 2, () => [255, 0, 0]),
    { width: 1, height: 2 },
    2,
  );
  expect(row).toBe("\x1b[38;5;196;48;5;196m▀\x1b[39;49m");
});

const commandsIn = (bytes: string): { keys: string; data: string }[] =>
  [...bytes.matchAll(/\x1b_G([^;]*);([^\x1b]*)\x1b\\/g)].map(([, keys, data]) => ({
    keys: keys!,
    data: data!,
  }));

const unwrapped = (bytes: string): string =>
  bytes.replace(/\x1bPtmux;((?:[^\x1b]|\x1b\x1b)*)\x1b\\/g, (_, inner: string) =>
    inner.replaceAll("\x1b\x1b", "\x1b"),
  );

test.each([false, true])("a PNG is sent in pieces of 4096 bytes and is complete (tmux: %s)", (tmux) => {
  const file = Buffer.from(Array.from({ length: 9000 }, (_, i) => i % 251));
  const pieces = uploadCommands(77, file, { cols: 24, rows: 8 }, tmux);
  const sent = commandsIn(tmux ? unwrapped(pieces.join("")) : pieces.join(""));
  expect(sent.map(({ keys }) => keys)).toEqual(["a=T,U=1,f=100,i=77,c=24,r=8,q=2,m=1", "q=2,m=1", "q=2,m=0"]);
  expect(sent.every(({ data }) => data.length <= 4096)).toBe(true);
  expect(Buffer.from(sent.map(({ data }) => data).join(""), "base64").equals(file)).toBe(true);
  if (tmux) expect(pieces.every((piece) => piece.startsWith("\x1bPtmux;\x1b\x1b_G"))).toBe(true);
});

test("each cell names its picture, row and column, and is one cell wide", () => {
  const id = imageId(0x01_02_02, 0, false);
  const rows = placeholderRows(id, { cols: 3, rows: 2 }, false);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/^\x1b\[38;2;1;2;3m/);
  expect(rows.map(cellWidth)).toEqual([3, 3]);
  // In kitty's list of diacritics 0 is U+0305, 1 is U+030D and 2 is U+030E.
  expect(plain(rows[1]!)).toBe(
    ["\u0305", "\u030d", "\u030e"].map((col) => `\u{10eeee}\u030d${col}`).join(""),
  );
});

test("through tmux the id is in a 256-colour and a third diacritic, and ids are unique", () => {
  const ids = Array.from({ length: 64 }, (_, n) => imageId(4_000_000, n, true));
  expect(new Set(ids).size).toBe(64);
  for (const id of ids) {
    expect(id & 255).toBeGreaterThan(0);
    expect((id >>> 8) & 0xff_ff).toBe(0);
    expect(id >>> 24).toBeGreaterThan(0);
  }
  const [row] = placeholderRows(ids[0]!, { cols: 2, rows: 1 }, true);
  expect(row).toMatch(new RegExp(`^\\x1b\\[38;5;${ids[0]! & 255}m`));
  expect([...plain(row!)]).toHaveLength(8);
  expect(cellWidth(row!)).toBe(2);
});

test("deleting removes a picture's data, and an interrupted transmission is ended", () => {
  expect(deleteSequence(9, false)).toBe("\x1b_Ga=d,d=I,i=9,q=2;\x1b\\");
  expect(unwrapped(deleteSequence(9, true))).toBe("\x1b_Ga=d,d=I,i=9,q=2;\x1b\\");
  expect(abortCommand(false)).toBe("\x1b_Gq=2,m=0;\x1b\\");
});

test("a message text cannot draw part of a picture", () => {
  expect(clean("a\u{10eeee}\u0305\u0305b")).not.toContain("\u{10eeee}");
});

test("iTerm2 gets the file, its length and its cells", () => {
  const bytes = iterm2Bytes(Buffer.from("JPEG"), { cols: 40, rows: 12 });
  const [, keys, data] = /^\x1b\]1337;File=([^:]*):(.*)\x07$/.exec(bytes)!;
  expect(keys!.split(";")).toEqual(
    expect.arrayContaining(["inline=1", "size=4", "width=40", "height=12", "preserveAspectRatio=0"]),
  );
  expect(Buffer.from(data!, "base64").toString()).toBe("JPEG");
});

test.each([
  [
    { width: 900, height: 600 },
    { cols: 15, rows: 5 },
  ],
  [
    { width: 600, height: 1200 },
    { cols: 5, rows: 5 },
  ],
  [
    { width: 4000, height: 10 },
    { cols: 16, rows: 1 },
  ],
  [
    { width: 1, height: 100_000 },
    { cols: 1, rows: 5 },
  ],
  // Enlarged at most four times.
  [
    { width: 5, height: 5 },
    { cols: 2, rows: 1 },
  ],
])("a picture of %o keeps its proportions in a box of 16 × 5 cells", (size, cells) => {
  expect(cellsFor(size, { cols: 16, rows: 5 }, CELL)).toEqual(cells);
});
