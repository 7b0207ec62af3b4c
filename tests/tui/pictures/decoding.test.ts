/** Decoding pictures reads the header first: bombs, damaged and mislabelled files are refused with a reason. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Transformer } from "@napi-rs/image";
import { decodeAsync } from "sixel/lib/Decoder.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Decoder } from "../../../src/tui/pictures/decoder.ts";
import { decode, type Decoded, type PictureForm, type Refused } from "../../../src/tui/pictures/decoding.ts";
import { gif, jpeg, png, sayingPng, webp } from "../../support/picture-files.ts";

let folder: string;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-decoding-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(bytes: Uint8Array): string {
  const file = path.join(folder, `${++count}`);
  writeFileSync(file, bytes);
  return file;
}
const request = (bytes: Uint8Array, form: PictureForm = "pixels", box = { cols: 8, rows: 2 }) => ({
  file: written(bytes),
  form,
  box,
  cell: { width: 10, height: 20 },
});
const decoded = async (bytes: Uint8Array, form?: PictureForm): Promise<Decoded> => {
  const answer = await decode(request(bytes, form));
  if (answer.kind === "refused") throw new Error(`refused: ${answer.why}`);
  return answer;
};
const refused = async (bytes: Uint8Array): Promise<Refused> => {
  const answer = await decode(request(bytes));
  if (answer.kind === "decoded") throw new Error("decoded");
  return answer;
};

const KINDS: [string, Uint8Array][] = [
  ["PNG", png(80, 40)],
  ["JPEG", jpeg(80, 40)],
  ["WebP", webp(80, 40)],
];

test.each(KINDS)("a %s becomes RGBA pixels, two per cell, in its proportions", async (_, bytes) => {
  const { data, size, cols, rows } = await decoded(bytes);
  expect({ size, cols, rows, bytes: data.length }).toEqual({
    size: { width: 8, height: 4 },
    cols: 8,
    rows: 2,
    bytes: 8 * 4 * 4,
  });
  const [left, right] = [data.subarray(0, 3), data.subarray(28, 31)];
  expect(left[0]! > 200 && left[2]! < 60 && right[2]! > 200 && right[0]! < 60).toBe(true);
});

test("of a GIF the first frame is drawn", async () => {
  const { data } = await decoded(gif(), "png");
  const rgba = new Transformer(data).rawPixelsSync();
  const [left, right] = [rgba.subarray(0, 3), rgba.subarray(rgba.length - 4, rgba.length - 1)];
  expect([left[0]! > 200, left[2]! < 60, right[0]! < 60, right[2]! > 200]).toEqual([true, true, true, true]);
});

test("a PNG and a file for the terminal are scaled to their cells, and a photo stays a JPEG", async () => {
  const small = await decoded(png(800, 400), "png");
  expect(new Transformer(small.data).metadataSync()).toMatchObject({ width: 80, height: 40, format: "png" });
  const photo = await decoded(jpeg(800, 400), "file");
  expect(new Transformer(photo.data).metadataSync()).toMatchObject({ width: 80, height: 40, format: "jpeg" });
});

test("a sixel picture decodes to its original colours, in whole bands of six lines", async () => {
  const { data, size } = await decoded(png(80, 40), "sixel");
  const bytes = Buffer.from(data).toString("latin1");
  expect(bytes.startsWith("\x1bP0;1;q")).toBe(true);
  expect(bytes.endsWith("\x1b\\")).toBe(true);
  const { width, height, data32 } = await decodeAsync(bytes.slice(bytes.indexOf("q") + 1, -2));
  expect({ width, height }).toEqual({ width: size.width, height: size.height });
  expect(size.height % 6).toBe(0);
  const at = (x: number): number[] => {
    const pixel = data32[x]!;
    return [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
  };
  expect([at(2), at(width - 3)]).toEqual([
    [255, 0, 0],
    [0, 0, 255],
  ]);
});

test("a sixel picture with more colours than available keeps them in place", async () => {
  const side = 64;
  const rgba = Uint8Array.from({ length: side * side * 4 }, (_, i) => {
    const [x, y] = [(i >> 2) % side, Math.floor((i >> 2) / side)];
    return [x * 4, y * 4, 60, 255][i % 4]!;
  });
  const photo = Transformer.fromRgbaPixels(rgba, side, side).pngSync();
  const { data } = await decode(request(photo, "sixel", { cols: 16, rows: 8 })).then((answer) => {
    if (answer.kind === "refused") throw new Error(answer.why);
    return answer;
  });
  const bytes = Buffer.from(data).toString("latin1");
  const { width, height, data32 } = await decodeAsync(bytes.slice(bytes.indexOf("q") + 1, -2));
  const bright = (x: number, y: number): boolean[] => {
    const pixel = data32[y * width + x]!;
    return [(pixel & 255) > 128, ((pixel >> 8) & 255) > 128];
  };
  const [right, low] = [width - 5, height - 5];
  expect([bright(4, 4), bright(right, 4), bright(4, low), bright(right, low)]).toEqual([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ]);
});

test("a picture with too many pixels is refused by its header, with its size", async () => {
  expect(await refused(sayingPng(20_000, 20_000))).toEqual({
    kind: "refused",
    why: "pixels",
    size: { width: 20_000, height: 20_000 },
  });
  expect((await refused(gif(65_535, 65_535))).why).toBe("pixels");
});

test("a header that promises more than the file contains is a damaged file", async () => {
  expect((await refused(sayingPng(5000, 5000))).why).toBe("damaged");
});

test.each([
  ["cut in its data", png(300, 300).subarray(0, 200)],
  ["cut in its header", png(30, 30).subarray(0, 20)],
  ["empty", Buffer.alloc(0)],
  ["a text", Buffer.from("<html>no picture</html>")],
  ["a JPEG without its middle", Buffer.concat([jpeg(300, 300).subarray(0, 400), Buffer.alloc(400)])],
  ["of no pixels", sayingPng(0, 10)],
])("a file that is %s is refused without throwing", async (_, bytes) => {
  expect(["damaged", "pixels", "type"]).toContain((await refused(bytes)).why);
});

test("an unsupported kind is refused", async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"></svg>');
  expect((await refused(svg)).why).toBe("type");
});

test("a worker decodes the newest request first, and ends when idle", async () => {
  const decoder = new Decoder({ idleMs: 20 });
  const order: number[] = [];
  const wishes = [1, 2, 3].map((n) =>
    decoder.decode(request(png(20 * n, 20))).then((answer) => {
      order.push(n);
      return answer?.kind;
    }),
  );
  expect(await Promise.all(wishes)).toEqual(["decoded", "decoded", "decoded"]);
  // The first request was already being decoded; the newest of the others is next.
  expect(order).toEqual([1, 3, 2]);
  await expect.poll(() => decoder.running).toBe(false);
});

test("a picture that takes too long is refused, and the next one is decoded", async () => {
  const decoder = new Decoder({ timeoutMs: 0 });
  expect(await decoder.decode(request(png(20, 20)))).toEqual({ kind: "refused", why: "time" });
  expect(decoder.running).toBe(false);
  decoder.close();
});

test("old requests are dropped while newer ones wait", async () => {
  const decoder = new Decoder();
  const one = request(png(20, 20));
  const answers = await Promise.all(Array.from({ length: 30 }, () => decoder.decode(one)));
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(5);
  decoder.close();
});
