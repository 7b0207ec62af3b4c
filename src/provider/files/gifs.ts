/** The bundled animations of `/giphy`: drawn when first requested, always the same bytes (specification/messages.md §5.1). */
// Drawn by code, which is 2.8 kB of the bundle: as files the eight pictures are 57 kB.

export const GIF_WIDTH = 160;
export const GIF_HEIGHT = 96;
export const GIF_FRAMES = 8;
/** Hundredths of a second. */
const FRAME_TIME = 12;

type Rgb = readonly [number, number, number];
/** The colour (0–3) of a point at a moment between 0 and 1. */
type Drawing = (x: number, y: number, t: number) => number;

const TURN = 2 * Math.PI;
const wrap = (value: number): number => Math.floor(((value % 4) + 4) % 4);
/** A pseudo-random number from 0 to 1, always the same for the same `n`. */
const pseudoRandom = (n: number): number => {
  const hash = Math.imul(n ^ 0x9e3779b9, 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
};

const [W, H] = [GIF_WIDTH, GIF_HEIGHT];
const distanceToCenter = (x: number, y: number): number => Math.hypot(x - W / 2, y - H / 2);

const ANIMATIONS: Record<string, { colors: readonly [Rgb, Rgb, Rgb, Rgb]; draw: Drawing }> = {
  waves: {
    colors: [
      [12, 44, 88],
      [26, 96, 150],
      [92, 172, 214],
      [232, 246, 252],
    ],
    draw: (x, y, t) => wrap(y / 14 + 0.9 * Math.sin(TURN * (x / W - t))),
  },
  rings: {
    colors: [
      [44, 16, 70],
      [122, 40, 138],
      [222, 92, 148],
      [255, 214, 170],
    ],
    draw: (x, y, t) => wrap(distanceToCenter(x, y) / 9 - 4 * t),
  },
  checks: {
    colors: [
      [28, 28, 32],
      [240, 240, 236],
      [228, 64, 52],
      [250, 196, 60],
    ],
    draw: (x, y, t) => wrap(Math.floor((x + 32 * t) / 16) + Math.floor((y + 16 * t) / 16)),
  },
  spiral: {
    colors: [
      [8, 60, 56],
      [20, 130, 108],
      [120, 204, 150],
      [244, 250, 220],
    ],
    draw: (x, y, t) =>
      wrap(distanceToCenter(x, y) / 12 + (4 * Math.atan2(y - H / 2, x - W / 2)) / TURN + 4 * t),
  },
  rain: {
    colors: [
      [30, 36, 48],
      [58, 70, 92],
      [110, 140, 180],
      [210, 226, 244],
    ],
    draw: (x, y, t) => {
      const column = Math.floor(x / 4);
      const drop = (y / H + pseudoRandom(column) - t + 2) % 1;
      return x % 4 === 1 ? (drop < 0.06 ? 3 : drop < 0.16 ? 2 : 0) : y > H - 6 ? 1 : 0;
    },
  },
  sunrise: {
    colors: [
      [250, 240, 214],
      [252, 194, 90],
      [240, 112, 60],
      [96, 40, 76],
    ],
    draw: (x, y, t) => {
      const [dx, dy] = [x - W / 2, y - H + 8];
      if (dy > 0) return 3;
      if (Math.hypot(dx, dy) < 30) return 2;
      return wrap((24 * (Math.atan2(dy, dx) / TURN + t / 12)) % 2);
    },
  },
  bounce: {
    colors: [
      [248, 248, 250],
      [196, 202, 214],
      [64, 132, 226],
      [22, 44, 92],
    ],
    draw: (x, y, t) => {
      const height = H - 24 - (H - 48) * Math.abs(Math.sin(Math.PI * t));
      if (Math.hypot(x - W / 2 + 6, y - height + 6) < 4) return 0;
      if (Math.hypot(x - W / 2, y - height) < 14) return 2;
      return y > H - 10 ? (Math.abs(x - W / 2) < 12 + height / 8 ? 3 : 1) : 0;
    },
  },
  confetti: {
    colors: [
      [36, 24, 52],
      [250, 86, 110],
      [82, 200, 160],
      [252, 206, 84],
    ],
    draw: (x, y, t) => {
      const [cx, cy] = [Math.floor(x / 10), Math.floor((y - H * t + H) / 8) % (H / 8)];
      const piece = pseudoRandom(cx * 97 + cy);
      return piece < 0.24 && x % 10 < 6 && Math.floor(y - H * t + H) % 8 < 4
        ? 1 + Math.floor(piece * 12.4)
        : 0;
    },
  },
};

export const GIF_NAMES: readonly string[] = Object.keys(ANIMATIONS);

/** LZW as GIF uses it: codes of growing width packed lowest bit first, in blocks of at most 255 bytes. */
function compress(pixels: Uint8Array): number[] {
  const [clear, end] = [4, 5];
  const bytes: number[] = [];
  let buffer = 0;
  let bits = 0;
  let width = 3;
  const write = (code: number): void => {
    buffer |= code << bits;
    for (bits += width; bits >= 8; bits -= 8, buffer >>>= 8) bytes.push(buffer & 255);
  };
  let table = new Map<number, number>();
  let next = end + 1;
  write(clear);
  let prefix = pixels[0]!;
  for (let i = 1; i < pixels.length; i++) {
    const pixel = pixels[i]!;
    const key = prefix * 4 + pixel;
    const code = table.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    write(prefix);
    prefix = pixel;
    if (next === 4096) {
      write(clear);
      table = new Map();
      next = end + 1;
      width = 3;
      continue;
    }
    table.set(key, next);
    if (next === 1 << width) width++;
    next++;
  }
  write(prefix);
  write(end);
  if (bits > 0) bytes.push(buffer & 255);
  const blocks: number[] = [2];
  for (let start = 0; start < bytes.length; start += 255) {
    const block = bytes.slice(start, start + 255);
    blocks.push(block.length, ...block);
  }
  blocks.push(0);
  return blocks;
}

const uint16 = (value: number): [number, number] => [value & 255, value >> 8];

function encode({ colors, draw }: (typeof ANIMATIONS)[string]): Buffer {
  const text = (value: string): number[] => [...Buffer.from(value, "latin1")];
  const bytes: number[] = [
    ...text("GIF89a"),
    ...uint16(W),
    ...uint16(H),
    // One palette of four colours for all frames.
    0b1000_0001,
    0,
    0,
    ...colors.flat(),
    // Loops forever.
    0x21,
    0xff,
    11,
    ...text("NETSCAPE2.0"),
    3,
    1,
    0,
    0,
    0,
  ];
  for (let frame = 0; frame < GIF_FRAMES; frame++) {
    const pixels = new Uint8Array(W * H);
    for (let y = 0; y < H; y++)
      for (let x = 0; x < W; x++) pixels[y * W + x] = draw(x, y, frame / GIF_FRAMES);
    bytes.push(0x21, 0xf9, 4, 0, ...uint16(FRAME_TIME), 0, 0);
    bytes.push(0x2c, 0, 0, 0, 0, ...uint16(W), ...uint16(H), 0);
    for (const byte of compress(pixels)) bytes.push(byte);
  }
  bytes.push(0x3b);
  return Buffer.from(bytes);
}

const cache = new Map<string, Buffer>();

export function gifBytes(name: string): Buffer | undefined {
  if (!Object.hasOwn(ANIMATIONS, name)) return undefined;
  let bytes = cache.get(name);
  if (!bytes) cache.set(name, (bytes = encode(ANIMATIONS[name]!)));
  return bytes;
}

const PATH = /^\/files\/gifs\/([a-z]{1,16})\.gif$/;

/** The animation at a path of the files route; public, so its address needs no signature. */
export function gifAt(pathname: string): Buffer | undefined {
  const name = PATH.exec(pathname)?.[1];
  return name === undefined ? undefined : gifBytes(name);
}

/** An address whose host and port are replaced whenever it is sent (`Signer.refresh`). */
export const gifAddress = (name: string): string => `http://127.0.0.1/files/gifs/${name}.gif`;
