/** The files of the demo workspace, generated so that the package need not include them: an image, notes and a table. */
import { crc32, deflateSync } from "node:zlib";

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** A PNG of `width` × `height` pixels, coloured by `pixel(x, y) → [r, g, b]`. */
function png(
  width: number,
  height: number,
  pixel: (x: number, y: number) => readonly [number, number, number],
): Uint8Array {
  const raw = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0, offset = 0; y < height; y++) {
    raw[offset++] = 0;
    for (let x = 0; x < width; x++) for (const channel of pixel(x, y)) raw[offset++] = channel;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(raw, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A mockup of an empty state: a window with three bars. */
function mockup(): Uint8Array {
  return png(240, 150, (x, y) => {
    if (y < 14) return [58, 66, 84];
    if (x < 52) return [238, 240, 246];
    const bar = [44, 66, 88].findIndex((top) => y >= top && y < top + 10);
    if (bar >= 0 && x > 84 && x < 208 - bar * 26) return [196 - bar * 20, 208 - bar * 12, 232];
    return [250 - Math.floor(y / 20), 251 - Math.floor(y / 30), 253];
  });
}

const NOTES = `# Interviews

Nine people, forty minutes each.

- Six lost a message at least once and still talk about it.
- Seven keep a second program open "just to be sure".
- Everybody wants to know what happens to what they typed.
`;

const FIGURES = `week,messages,people,median answer (min)
44,3120,41,9
45,3388,43,8
46,3571,44,7
`;

export const DEMO_FILES = {
  mockup: { name: "empty-state.png", mimeType: "image/png", width: 240, height: 150, bytes: mockup },
  notes: { name: "interviews.md", mimeType: "text/markdown", bytes: () => Buffer.from(NOTES) },
  figures: { name: "week-46.csv", mimeType: "text/csv", bytes: () => Buffer.from(FIGURES) },
} as const;
