/** Converts the file of an export into items of an import, reading it as often as their order needs (specification/admin.md §9, §10). */
import { open, rename, rm, stat } from "node:fs/promises";
import { convertExport } from "../wire/imports/convert.ts";
import type { ImportItem } from "../wire/entities/import.ts";
import { readItems } from "./items.ts";

export class FileExists extends Error {}
/** The file holds nothing that an export would. */
export class NoExport extends Error {}

/** `left` hears of what cannot be imported. Throws `NoExport` when nothing can. */
export function convertFile(
  file: string,
  signal: AbortSignal,
  left: (what: string) => void,
): AsyncIterable<ImportItem> {
  const read = async function* (): AsyncIterable<unknown> {
    for await (const { n, text } of readItems(file, { signal })) {
      try {
        yield JSON.parse(text) as unknown;
      } catch {
        throw new NoExport(`${file} is no export: item ${n} is not valid JSON.`);
      }
    }
  };
  return notNone(convertExport(read, left), file);
}

async function* notNone(items: AsyncIterable<ImportItem>, file: string): AsyncIterable<ImportItem> {
  let none = true;
  for await (const item of items) {
    none = false;
    yield item;
  }
  if (none) throw new NoExport(`${file} is no export: it holds nothing that can be imported.`);
}

/** JSON lines by way of a name beside the file; the number of items. Throws `FileExists` unless `over`. */
export async function writeLines(
  items: AsyncIterable<ImportItem>,
  file: string,
  { over, signal }: { over: boolean; signal: AbortSignal },
): Promise<number> {
  if (!over && (await stat(file).catch(() => undefined))) throw new FileExists();
  const part = `${file}.part`;
  const handle = await open(part, "w", 0o600);
  let count = 0;
  try {
    let waiting = "";
    for await (const item of items) {
      signal.throwIfAborted();
      waiting += `${JSON.stringify(item)}\n`;
      count++;
      if (waiting.length < 64 * 1024) continue;
      await handle.writeFile(waiting);
      waiting = "";
    }
    await handle.writeFile(waiting);
    await handle.sync();
    await handle.close();
    await rename(part, file);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(part, { force: true });
    throw error;
  }
  return count;
}
