/** The files of another program's export, the same from a zip and from a folder. */
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { BadZip, cleanPath, LIMITS, type ExportFile, readZip } from "./zip.ts";
import { EndlessList, listElements, type ListElement } from "./json-list.ts";

/** Throws `BadZip` for a folder with too many files. */
async function readFolder(folder: string): Promise<{ files: ExportFile[]; close(): void }> {
  const files: ExportFile[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files.push({
      name: cleanPath(path.relative(folder, file).split(path.sep)),
      size: (await stat(file)).size,
      read: () => createReadStream(file) as AsyncIterable<Uint8Array>,
    });
    if (files.length > LIMITS.entries) throw new BadZip(`${folder} holds more than ${LIMITS.entries} files.`);
  }
  return { files, close: () => {} };
}

export interface ExportFiles {
  /** What the user called the export. */
  readonly source: string;
  /** By name; a zip may hold one name twice. */
  readonly files: readonly ExportFile[];
  close(): void;
}

/** What operating systems put into every folder. */
const CLUTTER = /(^|\/)(__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/;

/** Throws `BadZip`, and what opening the file throws. */
export async function openForeign(source: string): Promise<ExportFiles> {
  const isFolder = (await stat(source)).isDirectory();
  const { files, close } = isFolder ? await readFolder(source) : await readZip(source);
  const used = files.filter(({ name }) => !CLUTTER.test(name));
  return {
    source,
    files: used.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
    close,
  };
}

/** The elements of a JSON list, some at a time. Throws `BadZip` for a file beyond the limits. */
export async function* jsonElements(file: ExportFile, source: string): AsyncGenerator<ListElement[]> {
  if (file.size > LIMITS.json)
    throw new BadZip(`${file.name} in ${source} is larger than ${LIMITS.json / 2 ** 20} MiB.`);
  try {
    yield* listElements(file.read());
  } catch (error) {
    if (!(error instanceof EndlessList)) throw error;
    throw new BadZip(`${file.name} in ${source} holds more entries than any export: it is not read.`);
  }
}
