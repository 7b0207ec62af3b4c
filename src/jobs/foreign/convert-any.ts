/** Converts an export of this provider, of another service or of plain JSON lines into import items; detects which it is. */
import { stat } from "node:fs/promises";
import type { ImportItem } from "../../wire/entities/import.ts";
import { isExcessive, parseBounded } from "../../wire/bounded-json.ts";
import { isObject } from "../../wire/json-object.ts";
import { FOREIGN_FORMATS } from "../../model/files/foreign-formats.gen.ts";
import { spreadsheetIn } from "../../model/files/spreadsheet.ts";
import { convertFile } from "../convert-export.ts";
import { readItems } from "../items.ts";
import type { Tally } from "../tally.ts";
import { Channels } from "./base/channels.ts";
import { openForeign } from "./base/foreign-files.ts";
import type { ForeignFormat } from "./base/format.ts";
import { foreignItems } from "./base/items.ts";
import { MediaFiles } from "./base/media-files.ts";
import { ImportedPeople } from "./base/people.ts";
import type { TakenFiles } from "./base/taken-files.ts";
import { BadExport } from "./base/zip.ts";
import { FORMATS } from "./formats.gen.ts";
import { importableItems } from "./importable.ts";
import { convertPlain, isPlainRecord } from "./plain.ts";

export { BadLine } from "./plain.ts";
export { Tally } from "../tally.ts";
export { TakenFiles } from "./base/taken-files.ts";
export { BadExport };

/** What `--source` names: detected, an export of Parley, plain lines, or the folder of a format. */
export type Source = "auto" | "export" | "plain" | keyof typeof FORMATS;

interface ConvertOptions {
  source: Source;
  /** Type for channels that name none. */
  channelType: string;
  signal: AbortSignal;
  /** Milliseconds since 1970: no date of an import may be later. */
  now: number;
  /** Every item of the file that is not used is counted here. */
  tally: Tally;
  /** Takes the files that are in an export. */
  taken?: TakenFiles | undefined;
}

async function foreignSource(file: string): Promise<keyof typeof FORMATS | undefined> {
  const files = await openForeign(file);
  try {
    for (const [name, format] of Object.entries<ForeignFormat>(FORMATS))
      if (await format.detect(files)) return name as keyof typeof FORMATS;
    return undefined;
  } finally {
    await files.close();
  }
}

/** Whether the first item is one of an import or of an export. */
const isItem = (value: unknown): boolean =>
  isObject(value) && ["type", "channel", "messages", "users"].some((key) => Object.hasOwn(value, key));

/** Detects the format; a file of import items counts as an export. Throws `BadExport` for what is nothing that can be read. */
export async function exportSource(file: string): Promise<Exclude<Source, "auto">> {
  const isFolder = (await stat(file)).isDirectory();
  const spreadsheet = isFolder ? undefined : await spreadsheetIn(file);
  if (spreadsheet && !spreadsheet.isZip)
    throw new BadExport(`${file} is ${spreadsheet.name}, which cannot be imported.`);
  const foreign = await foreignSource(file);
  if (foreign !== undefined) return foreign;
  if (!isFolder)
    for await (const { text } of readItems(file)) {
      const value = parseBounded(text);
      if (isPlainRecord(value)) return "plain";
      // What is beyond the bounds is refused with that reason when it is read.
      if (isItem(value) || isExcessive(text)) return "export";
      break;
    }
  const services = Object.values(FOREIGN_FORMATS).map(({ title }) => title);
  throw new BadExport(
    `${file} is nothing that can be converted: no export of Parley or of ${services.join(", ")}, and no plain lines.`,
  );
}

/** Yields only items that an import accepts, each once; counts the others. Throws `NotAnExport`, `BadExport` and `BadLine`. */
export const convertAny = (file: string, options: ConvertOptions): AsyncIterable<ImportItem> =>
  importableItems(converted(file, options), options);

async function* converted(file: string, options: ConvertOptions): AsyncIterable<ImportItem> {
  const { source, signal, tally, taken, channelType } = options;
  const detected = source === "auto" ? await exportSource(file) : source;
  if (detected === "plain") return yield* convertPlain(file, options);
  if (detected === "export") return yield* convertFile(file, signal, tally);
  const files = await openForeign(file);
  try {
    const people = new ImportedPeople();
    const channels = new Channels(channelType, people);
    const scope = { ...options, people, channels, media: new MediaFiles(taken) };
    const reader = await (FORMATS[detected] as ForeignFormat).open(files, scope);
    try {
      yield* foreignItems(reader, scope);
      await taken?.copy(signal);
    } finally {
      reader.close?.();
    }
  } finally {
    await files.close();
  }
}
