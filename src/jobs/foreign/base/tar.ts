/** Unpacks a tar.gz into a folder, with limits against bombs; links and devices in it are not made. */
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { finished } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { cleanFileName } from "../../../text/file-name.ts";
import { BadExport, LIMITS } from "./zip.ts";

const BLOCK = 512;
/** Bytes of a name or of the extended header of an entry. */
const MAX_HEADER = 1024 * 1024;

interface TarEntry {
  name: string;
  size: number;
  type: string;
}

const textIn = (block: Buffer, from: number, length: number): string => {
  const bytes = block.subarray(from, from + length);
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end < 0 ? length : end).toString("utf8");
};

/** Octal digits, or a binary number for what is too large for them. */
function numberIn(block: Buffer, from: number, length: number): number {
  if (block[from]! & 0x80) return Number(block.readBigUInt64BE(from + length - 8));
  const text = textIn(block, from, length).trim();
  return text === "" ? 0 : /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
}

function checksumFits(block: Buffer): boolean {
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 0x20 : block[i]!;
  return sum === numberIn(block, 148, 8);
}

/** An entry; `"end"` for an empty block, undefined for what is no header. */
function entryIn(block: Buffer): TarEntry | "end" | undefined {
  if (block.every((byte) => byte === 0)) return "end";
  const size = numberIn(block, 124, 12);
  if (!checksumFits(block) || !Number.isSafeInteger(size) || size < 0) return undefined;
  const prefix = textIn(block, 257, 5) === "ustar" ? textIn(block, 345, 155) : "";
  const name = textIn(block, 0, 100);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    size,
    type: String.fromCharCode(block[156]! || 0x30),
  };
}

/** The path of an extended header: `27 path=folder/name`. */
const pathIn = (header: string): string | undefined => /(?:^|\n)\d+ path=([^\n]+)\n/.exec(header)?.[1];

/** Reads so many bytes at a time from a stream. */
class BlockReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#pieces = bytes[Symbol.asyncIterator]();
  }

  /** Up to so many bytes; fewer only at the end. */
  async take(length: number): Promise<Buffer> {
    while (this.#held.length < length) {
      const { value, done } = await this.#pieces.next();
      if (done) break;
      this.#held = Buffer.concat([this.#held, value]);
    }
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  /** The content of an entry in pieces, and the padding after it. */
  async *content(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      const piece = await this.take(Math.min(left, 64 * 1024));
      if (piece.length === 0) throw new Error("it ends in the middle of a file");
      left -= piece.length;
      yield piece;
    }
    await this.take((BLOCK - (size % BLOCK)) % BLOCK);
  }
}

/** Where an entry is unpacked; undefined for a path that leads out of the folder. */
function targetOf(name: string, folder: string): string | undefined {
  const parts = name.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
  if (/^([/\\]|[A-Za-z]:)/.test(name) || parts.includes("..") || parts.length === 0) return undefined;
  return path.join(folder, ...parts.map((part) => cleanFileName(part)));
}

/** False if it is a packed file and no tar. Throws `BadExport`. */
export async function unpackTar(source: string, folder: string): Promise<boolean> {
  const packed = (await stat(source)).size;
  const reader = new BlockReader(createReadStream(source).pipe(createGunzip()));
  const refuse = (reason: string): never => {
    throw new BadExport(`${source} cannot be unpacked: ${reason}.`);
  };
  let [all, entries] = [0, 0];
  let longName: string | undefined;
  try {
    for (;;) {
      const block = await reader.take(BLOCK);
      const entry = block.length < BLOCK ? "end" : entryIn(block);
      if (entries === 0 && typeof entry !== "object") return false;
      if (entry === "end") return true;
      if (entry === undefined) return refuse("it is damaged");
      entries++;
      all += entry.size;
      if (all > LIMITS.all || (all > LIMITS.small && all > packed * LIMITS.ratio))
        refuse(`it would need more than ${Math.floor(all / 2 ** 20)} MiB`);
      if (entries > LIMITS.entries) refuse(`it holds more than ${LIMITS.entries} files`);
      if (entry.type === "x" || entry.type === "L" || entry.type === "g") {
        if (entry.size > MAX_HEADER) refuse("it is damaged");
        const header = Buffer.concat(await Array.fromAsync(reader.content(entry.size))).toString("utf8");
        if (entry.type === "L") longName = header.replace(/\0.*$/s, "");
        else if (entry.type === "x") longName = pathIn(header);
        continue;
      }
      const name = longName ?? entry.name;
      longName = undefined;
      await unpackEntry(reader, { ...entry, name }, folder, refuse);
    }
  } catch (error) {
    if (error instanceof BadExport || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    if (entries === 0) return false;
    return refuse((error as Error).message);
  }
}

async function unpackEntry(
  reader: BlockReader,
  { name, size, type }: TarEntry,
  folder: string,
  refuse: (reason: string) => never,
): Promise<void> {
  const isFile = type === "0" || type === "7";
  const target = targetOf(name, folder);
  if (target === undefined && isFile) refuse("a path in it leads out of its folder");
  if (!isFile || target === undefined) {
    for await (const _ of reader.content(size));
    return;
  }
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const out = createWriteStream(target, { mode: 0o600 });
  for await (const piece of reader.content(size)) if (!out.write(piece)) await once(out, "drain");
  out.end();
  await finished(out);
}
