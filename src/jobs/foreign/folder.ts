/** Lists the files of an unpacked export; links are not followed, so nothing outside of the folder is read. */
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { BadZip, cleanPath, LIMITS, type ExportFile } from "./zip.ts";

/** Throws `BadZip` for a folder with too many files. */
export async function readFolder(folder: string): Promise<{ files: ExportFile[]; close(): void }> {
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
