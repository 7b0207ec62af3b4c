/** Converts any export, of this provider, of Slack or plain lines, into items of an import, recognised by its first bytes. */
import { open } from "node:fs/promises";
import type { ImportItem } from "../../wire/entities/import.ts";
import { convertFile } from "../convert-export.ts";
import { readItems } from "../items.ts";
import { convertPlain, isPlainRecord } from "./plain.ts";
import { SlackExport, type Losses } from "./slack.ts";

export { BadLine } from "./plain.ts";
export { BadZip } from "./zip.ts";

type Source = "auto" | "export" | "slack" | "plain";

interface Converting {
  source: Source;
  /** The type of channels that come without one. */
  channelType: string;
  signal: AbortSignal;
  /** Counted on the way. */
  losses: Losses;
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

/** What a file seems to be; a file of items counts as an export. */
export async function exportSource(file: string): Promise<Source> {
  if (await isZip(file)) return "slack";
  for await (const { text } of readItems(file))
    try {
      return isPlainRecord(JSON.parse(text)) ? "plain" : "export";
    } catch {
      return "export";
    }
  return "export";
}

/** Throws `NoExport`, `BadZip` and `BadLine`. */
export async function* convertAny(
  file: string,
  { source, channelType, signal, losses }: Converting,
): AsyncIterable<ImportItem> {
  const found = source === "auto" ? await exportSource(file) : source;
  if (found === "plain") return yield* convertPlain(file, { channelType, signal });
  if (found === "export") return yield* convertFile(file, signal, () => losses.left_out++);
  const slack = await SlackExport.open(file, { channelType, signal, losses });
  try {
    yield* slack.items();
  } finally {
    slack.close();
  }
}
