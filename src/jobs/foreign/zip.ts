/** Reads JSON files of a zip one by one, with limits against zip bombs. */
import { openPromise, type Entry, type ZipFile } from "yauzl";

/** The zip cannot be read or looks like a bomb; the message says why. */
export class BadZip extends Error {}

const MIB = 1024 * 1024;

/** Limits: bytes per file and in total, number of files, compression ratio. */
const LIMITS = { file: 64 * MIB, all: 8192 * MIB, entries: 500_000, ratio: 200 };

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
    const zip = await withZipErrors(
      file,
      openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true }),
    );
    try {
      return new Zip(file, zip, await withZipErrors(file, entriesOf(file, zip)));
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  close(): void {
    this.#zip.close();
  }

  /** File names, sorted. */
  names(): string[] {
    return [...this.#entries.keys()].toSorted();
  }

  /** The parsed JSON file; undefined if there is none of that name. Throws `BadZip`. */
  async json(name: string): Promise<unknown> {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    const bytes = await withZipErrors(this.#file, this.#bytes(entry));
    try {
      return JSON.parse(bytes.toString("utf8"));
    } catch {
      throw new BadZip(`${name} in ${this.#file} is not valid JSON.`);
    }
  }

  /** The zip library refuses entries that are longer than they claim. */
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
    if (name.endsWith(".json") && size > LIMITS.file)
      throw new BadZip(`${name} in ${file} is larger than ${LIMITS.file / MIB} MiB.`);
    all += size;
    if (all > LIMITS.all || (all > LIMITS.file && all > zip.fileSize * LIMITS.ratio))
      throw new BadZip(`${file} would unpack to more than ${Math.floor(all / MIB)} MiB: it is not read.`);
    entries.set(name, entry);
    if (entries.size > LIMITS.entries) throw new BadZip(`${file} holds more than ${LIMITS.entries} files.`);
  }
  return entries;
}

/** Turns errors of the zip library into `BadZip`; errors of the file system pass through. */
async function withZipErrors<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BadZip || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new BadZip(`${file} cannot be read as a zip: ${(error as Error).message}.`);
  }
}
