/** Converts an export file into import items, reading it several times to get their order right (specification/admin.md §9, §10). */
import { open, rename, rm, stat } from "node:fs/promises";
import { aboutFile } from "../model/files/leftovers.ts";
import { isObject } from "../model/json-object.ts";
import { convertExport } from "../wire/imports/convert.ts";
import type { ImportItem } from "../wire/entities/import.ts";
import { parseGiven, UnusableValue } from "../wire/given-json.ts";
import type { Tally } from "./tally.ts";
import { readItems } from "./items.ts";

export class FileExists extends Error {}
/** The file is not an export. */
export class NotAnExport extends Error {}

/** Counts what cannot be imported into `tally`. Throws `NotAnExport` when nothing can. */
export function convertFile(file: string, signal: AbortSignal, tally: Tally): AsyncIterable<ImportItem> {
  const read = async function* (): AsyncIterable<unknown> {
    for await (const { n, text } of readItems(file, { signal })) {
      let value: unknown;
      try {
        value = parseGiven(text, "answer");
      } catch (error) {
        if (error instanceof UnusableValue) throw new NotAnExport(`Item ${n} of ${file} ${error.message}.`);
        throw new NotAnExport(`${file} is not an export: item ${n} is not valid JSON.`);
      }
      if (isImportItem(value))
        throw new NotAnExport(`${file} is an import file already: parley import upload takes it.`);
      yield value;
    }
  };
  return requireSome(
    convertExport(read, (kind, reason) => tally.add(kind, reason)),
    file,
  );
}

/** Items of an import name the channel by type and id, those of an export by its cid. */
function isImportItem(value: unknown): boolean {
  const { data } = (isObject(value) ? value : {}) as { data?: unknown };
  return isObject(data) && data.cid === undefined && typeof data.channel_type === "string";
}

async function* requireSome(items: AsyncIterable<ImportItem>, file: string): AsyncIterable<ImportItem> {
  let isEmpty = true;
  for await (const item of items) {
    isEmpty = false;
    yield item;
  }
  if (isEmpty) throw new NotAnExport(`${file} is not an export: it contains nothing that can be imported.`);
}

/** Writes JSON lines through a temporary file and returns the number of items. Throws `FileExists` unless `overwrite`. */
export async function writeLines(
  items: AsyncIterable<ImportItem>,
  file: string,
  { over: overwrite, signal }: { over: boolean; signal: AbortSignal },
): Promise<number> {
  if (!overwrite && (await stat(file).catch(() => undefined))) throw new FileExists();
  const part = `${file}.part`;
  const handle = await open(part, "w", 0o600);
  let count = 0;
  try {
    let buffered = "";
    for await (const item of items) {
      signal.throwIfAborted();
      buffered += `${JSON.stringify(item)}\n`;
      count++;
      if (buffered.length < 64 * 1024) continue;
      await handle.writeFile(buffered);
      buffered = "";
    }
    await handle.writeFile(buffered);
    await handle.sync();
    await handle.close();
    await rename(part, file);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(part, { force: true });
    throw (error as NodeJS.ErrnoException).syscall === "write" ? aboutFile(error, file) : error;
  }
  return count;
}
