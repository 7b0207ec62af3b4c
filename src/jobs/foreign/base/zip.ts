/** Lists the files of a zip, with limits against zip bombs (specification/security.md §1). */
import { getFileNameLowLevel, openPromise, validateFileName, type Entry, type ZipFile } from "yauzl";

export interface ExportFile {
  /** Path in the export: `/` between the names, no `./` in front, Unicode composed. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Throws `BadExport`, and what reading a file throws. */
  read(): AsyncIterable<Uint8Array>;
  /** Where it is on this machine, if it is a file of its own. */
  readonly path?: string;
}

/** The export cannot be read or looks like a bomb; the message says why. */
export class BadExport extends Error {}

const MIB = 1024 * 1024;

/** Bytes of a JSON file and of all files, number of files, and the compression ratio of a zip that unpacks to more than `small` bytes. */
export const LIMITS = { json: 1024 * MIB, all: 32_768 * MIB, entries: 500_000, ratio: 200, small: 64 * MIB };

/** Throws `BadExport`. */
export async function readZip(file: string): Promise<{ files: ExportFile[]; close(): void }> {
  const zip = await withZipErrors(
    file,
    openPromise(file, { lazyEntries: true, autoClose: false, decodeStrings: false }),
  );
  try {
    return { files: await withZipErrors(file, filesOf(file, zip)), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** The standard says CP437 without a flag, but programs write UTF-8 without it, too. */
function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(fileNameRaw);
  } catch {
    return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
  }
}

export const cleanPath = (parts: readonly string[]): string =>
  parts
    .filter((part) => part !== "" && part !== ".")
    .join("/")
    .normalize("NFC");

async function filesOf(file: string, zip: ZipFile): Promise<ExportFile[]> {
  const files: ExportFile[] = [];
  let all = 0;
  for await (const entry of zip.eachEntry()) {
    // Windows programs write backslashes.
    const written = nameOf(entry).replaceAll("\\", "/");
    const problem = validateFileName(written);
    if (problem !== null) throw new BadExport(`${file} cannot be read as a zip: ${problem}.`);
    if (written.endsWith("/")) continue;
    const name = cleanPath(written.split("/"));
    if (!entry.canDecodeFileData())
      throw new BadExport(`${name} in ${file} is encrypted or packed in a way that is not known.`);
    all += entry.uncompressedSize;
    if (all > LIMITS.all || (all > LIMITS.small && all > zip.fileSize * LIMITS.ratio))
      throw new BadExport(`${file} would unpack to more than ${Math.floor(all / MIB)} MiB: it is not read.`);
    files.push({ name, size: entry.uncompressedSize, read: () => bytesOf(file, zip, entry) });
    if (files.length > LIMITS.entries)
      throw new BadExport(`${file} holds more than ${LIMITS.entries} files.`);
  }
  return files;
}

/** The zip library refuses entries that are longer than they claim. */
async function* bytesOf(file: string, zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) yield piece as Uint8Array;
  } catch (error) {
    throw zipError(file, error);
  }
}

/** Turns an error of the zip library into `BadExport`; errors of the file system pass through. */
function zipError(file: string, error: unknown): unknown {
  if (error instanceof BadExport || (error as NodeJS.ErrnoException).syscall !== undefined) return error;
  return new BadExport(`${file} cannot be read as a zip: ${(error as Error).message}.`);
}

async function withZipErrors<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw zipError(file, error);
  }
}
