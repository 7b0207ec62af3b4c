/** Reads the JSON files of a zip one by one, with limits against zip bombs. */
import { openPromise, type Entry, type ZipFile } from "yauzl";

/** It cannot be read, or is bigger inside than anything honest; the message says why. */
export class BadZip extends Error {}

const MIB = 1024 * 1024;

/** Bytes of one file and of all, how many files, and how many times smaller than what is inside a zip may be. */
const BOUNDS = { file: 64 * MIB, all: 8192 * MIB, entries: 500_000, ratio: 200 };

export class Zip {
  readonly #file: string;
  readonly #zip: ZipFile;
  readonly #entries: Map<string, Entry>;

  private constructor(file: string, zip: ZipFile, entries: Map<string, Entry>) {
    this.#file = file;
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Throws `BadZip`. */
  static async open(file: string): Promise<Zip> {
    const zip = await said(
      file,
      openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true }),
    );
    try {
      return new Zip(file, zip, await said(file, entriesOf(file, zip)));
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  close(): void {
    this.#zip.close();
  }

  /** Names of files, in their order. */
  names(): string[] {
    return [...this.#entries.keys()].toSorted();
  }

  /** The value of a JSON file; undefined where there is none of that name. Throws `BadZip`. */
  async json(name: string): Promise<unknown> {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    const bytes = await said(this.#file, this.#bytes(entry));
    try {
      return JSON.parse(bytes.toString("utf8"));
    } catch {
      throw new BadZip(`${name} in ${this.#file} is not valid JSON.`);
    }
  }

  /** More bytes than the zip says an entry has are refused by the reader itself. */
  async #bytes(entry: Entry): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of await this.#zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  }
}

async function entriesOf(file: string, zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let all = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName: name, uncompressedSize: size } = entry;
    if (name.endsWith("/")) continue;
    if (!entry.canDecodeFileData())
      throw new BadZip(`${name} in ${file} is encrypted or packed in a way that is not known.`);
    if (name.endsWith(".json") && size > BOUNDS.file)
      throw new BadZip(`${name} in ${file} is larger than ${BOUNDS.file / MIB} MiB.`);
    all += size;
    if (all > BOUNDS.all || (all > BOUNDS.file && all > zip.fileSize * BOUNDS.ratio))
      throw new BadZip(`${file} would unpack to more than ${Math.floor(all / MIB)} MiB: it is not read.`);
    entries.set(name, entry);
    if (entries.size > BOUNDS.entries) throw new BadZip(`${file} holds more than ${BOUNDS.entries} files.`);
  }
  return entries;
}

/** What the reader says of a broken zip, as a sentence; what the disk says stays as it is. */
async function said<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BadZip || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new BadZip(`${file} cannot be read as a zip: ${(error as Error).message}.`);
  }
}
