/** Converts an export of this provider, of Slack or of plain JSON lines into import items; detects which it is. */
import { open, stat } from "node:fs/promises";
import type { ImportItem } from "../../wire/entities/import.ts";
import { parseBounded } from "../../wire/bounded-json.ts";
import { convertFile } from "../convert-export.ts";
import { readItems } from "../items.ts";
import { importableItems } from "./importable.ts";
import { convertPlain, isPlainRecord } from "./plain.ts";
import { SlackExport } from "./slack.ts";
import type { TakenFiles } from "./taken-files.ts";
import type { Tally } from "../tally.ts";
import { spreadsheetIn } from "../../model/files/spreadsheet.ts";
import { BadZip } from "./zip.ts";

export { BadLine } from "./plain.ts";
export { Tally } from "../tally.ts";
export { TakenFiles } from "./taken-files.ts";
export { BadZip };

type Source = "auto" | "export" | "slack" | "plain";

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

const ZIP = Buffer.from("PK");

/** Throws what opening the file throws. */
export async function isZip(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer } = await handle.read(Buffer.alloc(ZIP.length), 0, ZIP.length, 0);
    return buffer.equals(ZIP);
  } finally {
    await handle.close();
  }
}

/** Detects the format; a file of import items counts as an export. Throws `BadZip` for a spreadsheet. */
export async function exportSource(file: string): Promise<Source> {
  if ((await stat(file)).isDirectory()) return "slack";
  const spreadsheet = await spreadsheetIn(file);
  if (spreadsheet !== undefined) throw new BadZip(`${file} is ${spreadsheet}, which cannot be imported.`);
  if (await isZip(file)) return "slack";
  for await (const { text } of readItems(file)) return isPlainRecord(parseBounded(text)) ? "plain" : "export";
  return "export";
}

/** Yields only items that an import accepts, each once; counts the others. Throws `NotAnExport`, `BadZip` and `BadLine`. */
export const convertAny = (file: string, options: ConvertOptions): AsyncIterable<ImportItem> =>
  importableItems(converted(file, options), options);

async function* converted(
  file: string,
  { source, channelType, signal, now, tally, taken }: ConvertOptions,
): AsyncIterable<ImportItem> {
  const detected = source === "auto" ? await exportSource(file) : source;
  if (detected === "plain") return yield* convertPlain(file, { channelType, signal, now, tally });
  if (detected === "export") return yield* convertFile(file, signal, tally);
  const slack = await SlackExport.open(file, { channelType, signal, now, tally, taken });
  try {
    yield* slack.items();
  } finally {
    slack.close();
  }
}
