/** Picture files for tests: valid ones, decompression bombs, and wrong headers. */
import { Transformer } from "@napi-rs/image";
import { crc32, deflateSync } from "node:zlib";

type Colour = readonly [number, number, number, number?];

/** RGBA pixels; `at` returns the colour for a column and row. */
export function pixels(width: number, height: number, at: (x: number, y: number) => Colour): Uint8Array {
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [r, g, b, a = 255] = at(x, y);
      rgba.set([r, g, b, a], (y * width + x) * 4);
    }
  return rgba;
}

/** The left half red, the right half blue. */
const halves = (width: number, height: number): Uint8Array =>
  pixels(width, height, (x) => (x < width / 2 ? [255, 0, 0] : [0, 0, 255]));

const made = (width: number, height: number): Transformer =>
  Transformer.fromRgbaPixels(halves(width, height), width, height);

export const png = (width: number, height: number): Buffer => made(width, height).pngSync();
export const jpeg = (width: number, height: number): Buffer => made(width, height).jpegSync(90);
export const webp = (width: number, height: number): Buffer => made(width, height).webpSync(90);

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** A PNG whose header claims this size; its data are `rows` empty lines. */
export function sayingPng(width: number, height: number, rows = 1): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc(rows * (1 + Math.min(width, 20_000) * 4)));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A GIF of two pixels, red and blue; its header may claim another size. */
export function gif(width = 2, height = 1): Buffer {
  const head = Buffer.alloc(13);
  head.write("GIF89a", "latin1");
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  head[10] = 0x80;
  const colours = Buffer.from([255, 0, 0, 0, 0, 255]);
  const image = Buffer.from([0x2c, 0, 0, 0, 0, 2, 0, 1, 0, 0]);
  // Codes of three bits: clear, 0, 1, end.
  const data = Buffer.from([2, 2, 0b01_000_100, 0b0000_101_0, 0]);
  return Buffer.concat([head, colours, image, data, Buffer.from([0x3b])]);
}
