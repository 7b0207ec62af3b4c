/** Finds texts in the bytes of files by their hashes, so that whoever searches need not keep the texts. */
import { createHash } from "node:crypto";
import { open, readdir } from "node:fs/promises";
import path from "node:path";

/** Bytes by which a place is recognised before its hash is computed; shorter texts cannot be told from others. */
const PREFIX = 8;
/** Most bytes of one trace: a database splits a long text over its pages. */
const MAX_BYTES = 48;
/** Pieces looked for of one text. */
const MAX_PIECES = 3;
const CHUNK = 1024 * 1024;

/** A piece of a text. */
export interface Trace {
  /** Hash of its first eight bytes. */
  prefix: number;
  bytes: number;
  sha256: string;
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex").slice(0, 32);

const mix = (low: number, high: number): number => (low ^ Math.imul(high, 0x9e3779b1)) >>> 0;

function traceOf(bytes: Buffer): Trace {
  return {
    prefix: mix(bytes.readUInt32LE(0), bytes.readUInt32LE(4)),
    bytes: bytes.length,
    sha256: hashOf(bytes),
  };
}

/** Parts of a text that JSON, HTML and SQL write as they are, the longest first. */
const piecesOf = (text: string): Buffer[] =>
  text
    .split(/[\p{Cc}"\\<>&'\u2028\u2029]+/u)
    .map((piece) => Buffer.from(piece.trim()))
    .filter((bytes) => bytes.length >= PREFIX)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_PIECES);

/** The whole of a short piece; beginning, middle and end of a long one. */
function windowsOf(piece: Buffer): Buffer[] {
  const rest = piece.length - MAX_BYTES;
  if (rest <= 0) return [piece];
  return [0, rest >> 1, rest].map((at) => piece.subarray(at, at + MAX_BYTES));
}

/** `short` counts the texts without a piece that is long enough to be recognised. */
export function tracesOf(texts: Iterable<string>): { traces: Trace[]; short: number } {
  const traces = new Map<string, Trace>();
  let short = 0;
  for (const text of new Set(texts)) {
    const pieces = piecesOf(text);
    if (pieces.length === 0) short++;
    for (const trace of pieces.flatMap(windowsOf).map(traceOf)) traces.set(trace.sha256, trace);
  }
  return { traces: [...traces.values()], short };
}

export class TraceFinder {
  readonly #byPrefix = new Map<number, Trace[]>();
  /** A bit for each hash of a prefix, without its lowest bits: nearly every place is passed over by one look. */
  readonly #known = new Uint8Array(1 << 17);

  constructor(traces: readonly Trace[]) {
    for (const trace of traces) {
      this.#byPrefix.set(trace.prefix, [...(this.#byPrefix.get(trace.prefix) ?? []), trace]);
      const bit = trace.prefix >>> 12;
      this.#known[bit >>> 3]! |= 1 << (bit & 7);
    }
  }

  /** The bytes found in a buffer, by the hash of their trace; only places before `end` are looked at. */
  find(buffer: Buffer, end = buffer.length): Map<string, Buffer> {
    const found = new Map<string, Buffer>();
    let [low, high] = [0, 0];
    for (let next = 0; next < buffer.length && next - PREFIX + 1 < end; next++) {
      low = (low >>> 8) | (high << 24);
      high = (high >>> 8) | (buffer[next]! << 24);
      const bit = mix(low, high) >>> 12;
      if ((this.#known[bit >>> 3]! & (1 << (bit & 7))) === 0) continue;
      const at = next - PREFIX + 1;
      if (at >= 0) this.#compare(buffer, at, mix(low, high), found);
    }
    return found;
  }

  #compare(buffer: Buffer, at: number, prefix: number, found: Map<string, Buffer>): void {
    for (const { bytes, sha256 } of this.#byPrefix.get(prefix) ?? []) {
      if (at + bytes > buffer.length || found.has(sha256)) continue;
      const piece = buffer.subarray(at, at + bytes);
      if (hashOf(piece) === sha256) found.set(sha256, Buffer.from(piece));
    }
  }
}

interface SearchedFile {
  /** Relative to the folder. */
  file: string;
  bytes: number;
  found: Map<string, Buffer>;
}

async function searchFile(
  file: string,
  finder: TraceFinder,
  signal: AbortSignal,
): Promise<Omit<SearchedFile, "file">> {
  const handle = await open(file);
  const found = new Map<string, Buffer>();
  // The end of one chunk is the beginning of the next, so that no piece is cut.
  const buffer = Buffer.alloc(CHUNK + MAX_BYTES);
  try {
    for (let bytes = 0, kept = 0; ;) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, kept, CHUNK);
      const filled = kept + bytesRead;
      bytes += bytesRead;
      const isLast = bytesRead === 0;
      const end = isLast ? filled : Math.max(0, filled - MAX_BYTES);
      for (const [hash, piece] of finder.find(buffer.subarray(0, filled), end)) found.set(hash, piece);
      if (isLast) return { bytes, found };
      kept = filled - end;
      buffer.copyWithin(0, end, filled);
    }
  } finally {
    await handle.close();
  }
}

/** Searches every file of a folder and the folders in it; nothing if there is none. */
export async function* searchFolder(
  folder: string,
  finder: TraceFinder,
  signal: AbortSignal,
): AsyncIterable<SearchedFile> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    try {
      yield { file: path.relative(folder, file), ...(await searchFile(file, finder, signal)) };
    } catch (error) {
      // A running program has removed it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}
