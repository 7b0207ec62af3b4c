/** The files of another program's export, the same from a folder, a zip, a packed folder and a single file. */
import { createReadStream } from "node:fs";
import { open, readdir, realpath, rm, stat } from "node:fs/promises";
import path from "node:path";
import { makeTemporaryFolder } from "../../../model/files/temporary-folder.ts";
import { listElements, type ListElement } from "./json-stream.ts";
import { unpackTar } from "./tar.ts";
import { BadExport, cleanPath, LIMITS, type ExportFile, readZip } from "./zip.ts";

export interface ExportFiles {
  /** What the user called the export. */
  readonly source: string;
  /** By name; a zip may hold one name twice. */
  readonly files: readonly ExportFile[];
  /** The file of a path, also beside a single file; undefined for none, and for a path that leads out of the export. */
  find(name: string): Promise<ExportFile | undefined>;
  close(): Promise<void>;
}

/** What operating systems put into every folder. */
const CLUTTER = /(^|\/)(__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/;

const fileAt = (name: string, file: string, size: number): ExportFile => ({
  name,
  size,
  path: file,
  read: () => createReadStream(file) as AsyncIterable<Uint8Array>,
});

/** Links are not followed. Throws `BadExport` for a folder with too many files. */
async function readFolder(folder: string): Promise<ExportFile[]> {
  const files: ExportFile[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = cleanPath(path.relative(folder, file).split(path.sep));
    files.push(fileAt(name, file, (await stat(file)).size));
    if (files.length > LIMITS.entries)
      throw new BadExport(`${folder} holds more than ${LIMITS.entries} files.`);
  }
  return files;
}

/** The names of a path from another program, from the top of the export; undefined if it leads out of it. */
function safeParts(name: string): string[] | undefined {
  if (/^([/\\]|[A-Za-z]:)|\0/.test(name)) return undefined;
  const parts: string[] = [];
  for (const part of name.split(/[/\\]/)) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts;
}

/** Of a file beside `neighbour`, which may be in a folder of the export. */
export const besidePath = (neighbour: string, name: string): string | undefined => {
  const parts = /^([/\\]|[A-Za-z]:)/.test(name)
    ? undefined
    : safeParts(neighbour.slice(0, neighbour.lastIndexOf("/") + 1) + name);
  return parts && cleanPath(parts);
};

const listed = (source: string, found: readonly ExportFile[], close: () => Promise<void>): ExportFiles => {
  const files = found
    .filter(({ name }) => !CLUTTER.test(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const byName = new Map(files.map((file) => [file.name, file]));
  const find = async (name: string) => byName.get(cleanPath(safeParts(name) ?? []));
  return { source, files, find, close };
};

/** A file alone, and what stands beside it; nothing behind a link. */
async function singleFile(source: string): Promise<ExportFiles> {
  const folder = await realpath(path.dirname(source));
  const own = fileAt(path.basename(source).normalize("NFC"), source, (await stat(source)).size);
  const look = async (parts: readonly string[]): Promise<ExportFile | undefined> => {
    const file = path.join(folder, ...parts);
    const info = await stat(file).catch(() => undefined);
    const real = info?.isFile() && (await realpath(file).catch(() => undefined));
    return info && real === file ? fileAt(cleanPath(parts), file, info.size) : undefined;
  };
  // The same object for the same file: it is known by it.
  const found = new Map<string, Promise<ExportFile | undefined>>();
  const find = async (name: string): Promise<ExportFile | undefined> => {
    const parts = safeParts(name);
    if (!parts?.length) return undefined;
    const key = parts.join("/");
    const file = found.get(key) ?? look(parts);
    found.set(key, file);
    return file;
  };
  return { source, files: [own], find, close: async () => {} };
}

async function packedFolder(source: string): Promise<ExportFiles | undefined> {
  const folder = makeTemporaryFolder();
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    if (await unpackTar(source, folder)) return listed(source, await readFolder(folder), close);
    await close();
    return undefined;
  } catch (error) {
    await close();
    throw error;
  }
}

const [ZIP, GZIP] = [Buffer.from("PK"), Buffer.from([0x1f, 0x8b])];

const begins = async (file: string, magic: Buffer): Promise<boolean> =>
  (await headBytes(file, magic.length)).equals(magic);

async function headBytes(file: string, length: number): Promise<Buffer> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Throws what opening the file throws. */
const isZip = (file: string): Promise<boolean> => begins(file, ZIP);

/** Throws `BadExport`, and what opening the file throws. */
export async function openForeign(source: string): Promise<ExportFiles> {
  if ((await stat(source)).isDirectory()) return listed(source, await readFolder(source), async () => {});
  if (await isZip(source)) {
    const { files, close } = await readZip(source);
    return listed(source, files, async () => close());
  }
  return ((await begins(source, GZIP)) ? await packedFolder(source) : undefined) ?? singleFile(source);
}

/** Bytes that are looked at to tell what a file is. */
const HEAD = 64 * 1024;

/** The first bytes of a file in an export. */
export async function headOf(file: ExportFile): Promise<Buffer> {
  if (file.path !== undefined) return headBytes(file.path, HEAD);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of file.read()) {
    pieces.push(piece);
    length += piece.length;
    if (length >= HEAD) break;
  }
  return Buffer.concat(pieces).subarray(0, HEAD);
}

/** A list of messages of a day or of people with more elements is none. */
const MAX_ELEMENTS = 500_000;

/** The elements of a JSON list, some at a time. Throws `BadExport` for a file beyond the limits. */
export async function* jsonElements(file: ExportFile, source: string): AsyncGenerator<ListElement[]> {
  if (file.size > LIMITS.json)
    throw new BadExport(`${file.name} in ${source} is larger than ${LIMITS.json / 2 ** 20} MiB.`);
  let found = 0;
  for await (const elements of listElements(file.read())) {
    found += elements.length;
    if (found > MAX_ELEMENTS)
      throw new BadExport(`${file.name} in ${source} holds more entries than any export: it is not read.`);
    yield elements;
  }
}
