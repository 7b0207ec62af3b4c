/** Decodes the packed file of coasts, borders and places: varints, in thousandths of a degree. */
const UNITS_PER_DEGREE = 1000;
/** Pieces decoded before yielding to the event loop, so that keys keep working. */
const PIECES_PER_SLICE = 400;

/** Yields to the event loop. */
type Pause = () => Promise<void>;

/** Lines in Mercator coordinates, cut into short pieces; the box of a piece allows skipping those out of view. */
export interface Lines {
  /** Alternating x and y. */
  readonly points: Float32Array;
  /** Index of the first point of each piece, and at the end the number of points. */
  readonly starts: Uint32Array;
  /** Four numbers per piece: left, lower, right and upper edge. */
  readonly boxes: Float32Array;
}

/** Coast and borders at one level of detail. */
interface Layer {
  readonly coast: Lines;
  readonly borders: Lines;
}

/** Parallel arrays, largest place first. */
export interface Places {
  readonly names: readonly string[];
  /** Two-letter country codes, joined without a separator. */
  readonly countries: string;
  /** Empty outside the United States. */
  readonly states: readonly string[];
  readonly longitudes: Float32Array;
  readonly latitudes: Float32Array;
}

export interface Atlas {
  /** The coarse layer, for zoomed-out maps. */
  readonly far: Layer;
  readonly near: Layer;
  readonly places: Places;
}

class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }
  signed(): number {
    const value = this.number();
    return value & 1 ? -((value + 1) / 2) : value / 2;
  }
  text(): string {
    const length = this.number();
    this.#at += length;
    return new TextDecoder().decode(this.#bytes.subarray(this.#at - length, this.#at));
  }
}

async function readLines(reader: ByteReader, pause: Pause): Promise<Lines> {
  const pieces = reader.number();
  const points = new Float32Array(reader.number() * 2);
  const starts = new Uint32Array(pieces + 1);
  const boxes = new Float32Array(pieces * 4);
  let [x, y, at] = [0, 0, 0];
  for (let piece = 0; piece < pieces; piece++) {
    if (piece % PIECES_PER_SLICE === 0) await pause();
    let [left, lower, right, upper] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let remaining = reader.number(); remaining > 0; remaining--) {
      x += reader.signed();
      y += reader.signed();
      points[at++] = x / UNITS_PER_DEGREE;
      points[at++] = y / UNITS_PER_DEGREE;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < lower) lower = y;
      if (y > upper) upper = y;
    }
    starts[piece + 1] = at / 2;
    boxes.set(
      [left / UNITS_PER_DEGREE, lower / UNITS_PER_DEGREE, right / UNITS_PER_DEGREE, upper / UNITS_PER_DEGREE],
      piece * 4,
    );
  }
  return { points, starts, boxes };
}

async function readLayer(reader: ByteReader, pause: Pause): Promise<Layer> {
  const coast = await readLines(reader, pause);
  return { coast, borders: await readLines(reader, pause) };
}

function readPlaces(reader: ByteReader): Places {
  const count = reader.number();
  const names = reader.text().split("\n");
  const countries = reader.text();
  const states = reader.text().split("\n");
  const axis = (): Float32Array =>
    Float32Array.from({ length: count }, () => reader.signed() / UNITS_PER_DEGREE);
  return { names, countries, states, longitudes: axis(), latitudes: axis() };
}

export async function readAtlas(bytes: Uint8Array, pause: Pause): Promise<Atlas> {
  const reader = new ByteReader(bytes);
  const far = await readLayer(reader, pause);
  const near = await readLayer(reader, pause);
  return { far, near, places: readPlaces(reader) };
}
