/** GIFs: which frames are shown and how long, what is drawn of each, and files that ask for too much. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { gifBytes, GIF_NAMES } from "../../../src/provider/files/gifs.ts";
import { decodeMoving } from "../../../src/tui/pictures/decoding.ts";
import { delaysOf, framePlan, framesOf, openGif } from "../../../src/tui/pictures/gif.ts";
import { gif, png } from "../../support/picture-files.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-gif-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const uint16 = (value: number): number[] => [value & 255, value >> 8];

/** Pixels of a 2 × 1 picture with red and green, one frame a pair; `disposal` and place for each. */
function moving(
  frames: readonly { pixels: readonly number[]; x?: number; disposal?: number; delay?: number }[],
  width = 2,
): Uint8Array {
  const bytes = [...Buffer.from("GIF89a"), ...uint16(width), ...uint16(1), 0b1000_0000, 0, 0];
  bytes.push(255, 0, 0, 0, 255, 0);
  for (const { pixels, x = 0, disposal = 0, delay = 10 } of frames) {
    bytes.push(0x21, 0xf9, 4, disposal << 2, ...uint16(delay), 0, 0);
    bytes.push(0x2c, ...uint16(x), 0, 0, ...uint16(pixels.length), ...uint16(1), 0, 2);
    // Codes of three bits: clear, the pixels, end.
    let [value, bits] = [0, 0];
    for (const code of [4, ...pixels, 5]) [value, bits] = [value | (code << bits), bits + 3];
    const data = Array.from({ length: Math.ceil(bits / 8) }, (_, i) => (value >> (8 * i)) & 255);
    bytes.push(data.length, ...data, 0);
  }
  return Uint8Array.from([...bytes, 0x3b]);
}

const colourAt = (rgba: Uint8Array, at: number): string =>
  rgba[at * 4 + 3] === 0 ? "-" : rgba[at * 4] === 255 ? "r" : "g";
async function shown(bytes: Uint8Array): Promise<string[]> {
  const one = await openGif(bytes);
  return [...framesOf(one, framePlan(delaysOf(one), 32))].map(({ rgba }) =>
    Array.from({ length: one.width }, (_, at) => colourAt(rgba, at)).join(""),
  );
}
const decoded = (bytes: Uint8Array, box = { cols: 20, rows: 10 }) => {
  const file = path.join(folder, "a.gif");
  writeFileSync(file, bytes);
  return decodeMoving({ file, form: "pixels", box, cell: { width: 10, height: 20 } });
};

test("frames are drawn over each other, cleared, or taken back, as the file says", async () => {
  const [red, green] = [{ pixels: [0, 0] }, { pixels: [1], x: 1 }];
  expect(await shown(moving([red, green, { pixels: [1] }]))).toEqual(["rr", "rg", "gg"]);
  expect(await shown(moving([red, { ...green, disposal: 2 }, { pixels: [1] }]))).toEqual(["rr", "rg", "g-"]);
  expect(await shown(moving([red, { ...green, disposal: 3 }, { pixels: [1] }]))).toEqual(["rr", "rg", "gr"]);
});

test.each([
  [
    "times are kept",
    [10, 20, 30],
    32,
    [
      [0, 100],
      [1, 200],
      [2, 300],
    ],
  ],
  [
    "none is shorter than a tenth of a second",
    [3, 3, 3, 3, 50],
    32,
    [
      [0, 120],
      [4, 500],
    ],
  ],
  [
    "no delay is a tenth of a second",
    [0, 1],
    32,
    [
      [0, 100],
      [1, 100],
    ],
  ],
  [
    "too many are thinned out, and last as long",
    [10, 10, 10, 10, 10],
    3,
    [
      [0, 200],
      [2, 200],
      [4, 100],
    ],
  ],
])("%s", (_, delays, most, plan) => {
  expect(framePlan(delays, most).map(({ at, ms }) => [at, ms])).toEqual(plan);
});

test("each bundled animation moves, within its bounds", async () => {
  for (const name of GIF_NAMES) {
    const found = await decoded(gifBytes(name)!);
    if (found.kind !== "animation") throw new Error(`${name}: ${found.why}`);
    expect(found.frames.length).toBeGreaterThan(1);
    expect(found.frames.length).toBeLessThanOrEqual(32);
    expect(found.frames.every(({ ms }) => ms >= 100)).toBe(true);
  }
});

test("what does not move is refused: one frame, another type, a frame outside of its picture", async () => {
  expect(await decoded(gif())).toMatchObject({ kind: "refused", why: "type" });
  expect(await decoded(png(4, 4))).toMatchObject({ kind: "refused", why: "type" });
  expect(await decoded(moving([{ pixels: [0, 0] }, { pixels: [1, 1], x: 1 }]))).toMatchObject({
    kind: "refused",
    why: "pixels",
  });
});
