/** The bundled pictures of /giphy are valid: they are decoded by the test's own decoder (GIF89a). */
import { expect, test } from "vitest";
import {
  GIF_FRAMES,
  GIF_HEIGHT,
  GIF_NAMES,
  GIF_WIDTH,
  gifAt,
  gifBytes,
} from "../../../src/provider/files/gifs.ts";

/** Decodes the file; returns the pixels of each frame. */
function decode(bytes: Buffer): Uint8Array[] {
  expect(bytes.subarray(0, 6).toString("latin1")).toBe("GIF89a");
  expect([bytes.readUInt16LE(6), bytes.readUInt16LE(8)]).toEqual([GIF_WIDTH, GIF_HEIGHT]);
  let at = 13 + 3 * 2 ** ((bytes[10]! & 7) + 1);
  const frames: Uint8Array[] = [];
  const blocks = (): Buffer => {
    const parts: Buffer[] = [];
    for (;;) {
      const size = bytes[at++]!;
      if (size === 0) return Buffer.concat(parts);
      parts.push(bytes.subarray(at, at + size));
      at += size;
    }
  };
  for (;;) {
    const kind = bytes[at++];
    if (kind === 0x3b) break;
    if (kind === 0x21) {
      at++;
      blocks();
      continue;
    }
    expect(kind).toBe(0x2c);
    at += 9;
    const least = bytes[at++]!;
    frames.push(unpack(blocks(), least));
  }
  expect(at).toBe(bytes.length);
  return frames;
}

function unpack(data: Buffer, least: number): Uint8Array {
  const [clear, end] = [1 << least, (1 << least) + 1];
  const pixels: number[] = [];
  let [width, buffer, bits] = [least + 1, 0, 0];
  let table: number[][] = [];
  let before: number[] | undefined;
  const reset = (): void => {
    table = Array.from({ length: end + 1 }, (_, i) => (i < clear ? [i] : []));
    width = least + 1;
    before = undefined;
  };
  reset();
  for (const byte of data) {
    buffer |= byte << bits;
    bits += 8;
    while (bits >= width) {
      const code = buffer & ((1 << width) - 1);
      buffer >>>= width;
      bits -= width;
      if (code === clear) {
        reset();
        continue;
      }
      if (code === end) return Uint8Array.from(pixels);
      const sequence = table[code] ?? [...before!, before![0]!];
      expect(code).toBeLessThanOrEqual(table.length);
      for (const pixel of sequence) pixels.push(pixel);
      if (before && table.length < 4096) table.push([...before, sequence[0]!]);
      if (table.length === 1 << width && width < 12) width++;
      before = sequence;
    }
  }
  throw new Error("no end");
}

test("each bundled GIF is complete, animated and small", () => {
  expect(GIF_NAMES.length).toBeGreaterThanOrEqual(4);
  for (const name of GIF_NAMES) {
    const bytes = gifBytes(name)!;
    expect(bytes.length, name).toBeLessThan(20_000);
    const frames = decode(bytes);
    expect(frames).toHaveLength(GIF_FRAMES);
    for (const frame of frames) expect(frame).toHaveLength(GIF_WIDTH * GIF_HEIGHT);
    expect(frames[0], `${name} moves`).not.toEqual(frames[1]);
    expect(new Set(frames[0]).size, name).toBeGreaterThan(1);
  }
});

test("an unknown path has no GIF", () => {
  expect(gifAt(`/files/gifs/${GIF_NAMES[0]}.gif`)).toBe(gifBytes(GIF_NAMES[0]!));
  for (const path of [
    "/files/gifs/constructor.gif",
    "/files/gifs/nope.gif",
    "/files/gifs/../waves.gif",
    "/gifs/waves.gif",
  ])
    expect(gifAt(path)).toBeUndefined();
});
