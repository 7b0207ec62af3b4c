/** Reads the packed file of coasts, borders and places (numbers of seven bits a byte, steps of a thousandth of a degree). */
const GRAIN = 1000;
/** Pieces that are read in one go: keys are heard in between. */
const BREATH = 400;

/** Lets others run. */
type Pause = () => Promise<void>;

/** Lines in short pieces, on Mercator's map: what lies elsewhere is left out by the box of its piece. */
export interface Lines {
  /** The x and y of each point. */
  readonly points: Float32Array;
  /** Where each piece begins, in points; the last number is the end. */
  readonly starts: Uint32Array;
  /** Left, lower, right and upper edge of each piece. */
  readonly boxes: Float32Array;
}

/** Coast and borders, for one range of scales. */
interface Layer {
  readonly coast: Lines;
  readonly borders: Lines;
}

/** The largest first. */
export interface Places {
  readonly names: readonly string[];
  /** Two letters of a country each. */
  readonly countries: string;
  /** Of places in the United States. */
  readonly states: readonly string[];
  readonly longitudes: Float32Array;
  readonly latitudes: Float32Array;
}

export interface Atlas {
  /** For looking at the world from afar. */
  readonly far: Layer;
  readonly near: Layer;
  readonly places: Places;
}

class Reader {
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

async function readLines(reader: Reader, pause: Pause): Promise<Lines> {
  const pieces = reader.number();
  const points = new Float32Array(reader.number() * 2);
  const starts = new Uint32Array(pieces + 1);
  const boxes = new Float32Array(pieces * 4);
  let [x, y, at] = [0, 0, 0];
  for (let piece = 0; piece < pieces; piece++) {
    if (piece % BREATH === 0) await pause();
    let [left, lower, right, upper] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let rest = reader.number(); rest > 0; rest--) {
      x += reader.signed();
      y += reader.signed();
      points[at++] = x / GRAIN;
      points[at++] = y / GRAIN;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < lower) lower = y;
      if (y > upper) upper = y;
    }
    starts[piece + 1] = at / 2;
    boxes.set([left / GRAIN, lower / GRAIN, right / GRAIN, upper / GRAIN], piece * 4);
  }
  return { points, starts, boxes };
}

async function readLayer(reader: Reader, pause: Pause): Promise<Layer> {
  const coast = await readLines(reader, pause);
  return { coast, borders: await readLines(reader, pause) };
}

function readPlaces(reader: Reader): Places {
  const count = reader.number();
  const names = reader.text().split("\n");
  const countries = reader.text();
  const states = reader.text().split("\n");
  const axis = (): Float32Array => Float32Array.from({ length: count }, () => reader.signed() / GRAIN);
  return { names, countries, states, longitudes: axis(), latitudes: axis() };
}

export async function readAtlas(bytes: Uint8Array, pause: Pause): Promise<Atlas> {
  const reader = new Reader(bytes);
  const far = await readLayer(reader, pause);
  const near = await readLayer(reader, pause);
  return { far, near, places: readPlaces(reader) };
}
