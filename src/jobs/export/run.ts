/** Exports an archive: reads it once, hands each message to every format, then copies files and writes the manifest. */
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { replaceOwn } from "../../model/files/own-files.ts";
import { archiveCounts, gapsOf, type GapRow } from "../archive/counts.ts";
import { readMeta } from "../archive/meta.ts";
import { filesFolder, type OpenArchive } from "../archive/open.ts";
import { ArchiveReader } from "../archive/read.ts";
import { csvForm } from "./form-csv.ts";
import { htmlForm } from "./form-html.ts";
import { importForm } from "./form-import.ts";
import { jsonForm, ndjsonForm } from "./form-json.ts";
import { markdownForm, textForm } from "./form-text.ts";
import type { Exported, ExportForm } from "./form.ts";
import type { FileNames } from "./pattern.ts";
import { Pseudonyms } from "./pseudonyms.ts";
import { Selected, type Selection } from "./select.ts";
import { FileThere } from "./sink.ts";
import { SqliteOutput } from "./sqlite-output.ts";
import { copyName, TextOutput, type ExportOutput, type Partition, type WrittenFile } from "./text-output.ts";

/** How the files of each format end. */
const EXTENSIONS = {
  ndjson: "ndjson",
  json: "json",
  csv: "csv",
  md: "md",
  html: "html",
  txt: "txt",
  sqlite: "sqlite",
  import: "jsonl",
} as const;
export type Format = keyof typeof EXTENSIONS;

export interface ExportOptions extends Omit<Selection, "pseudonyms"> {
  formats: readonly Format[];
  /** Key of the pseudonyms. */
  anonymize?: string | undefined;
  /** Absent: standard output, by `put`. */
  names?: FileNames;
  put?: (bytes: Uint8Array) => Promise<void>;
  partition?: Partition | undefined;
  over: boolean;
  /** Of the program. */
  version: string;
  /** RFC 3339. */
  now: string;
  signal: AbortSignal;
  progress(done: number, total: number, text: string): void;
}

export interface Exports {
  files: WrittenFile[];
  /** Messages that were read; each format has them. */
  messages: number;
  /** Messages that the import form cannot carry. */
  left_out: number;
  gaps: GapRow[];
}

/** Throws `FileThere` before anything is written where files stand in the way; what is half-written goes away. */
export async function runExport(archive: OpenArchive, options: ExportOptions): Promise<Exports> {
  const reader = new ArchiveReader(archive.db);
  const key = options.anonymize;
  const selected = new Selected(reader, {
    ...options,
    ...(key === undefined ? {} : { pseudonyms: new Pseudonyms(key, finder(archive)) }),
  });
  const left: string[] = [];
  const outputs = options.formats.map((format) => outputOf(format, options, selected, (id) => left.push(id)));
  try {
    const messages = await feed(archive, selected, outputs, options);
    const files: WrittenFile[] = [];
    for (const output of outputs) files.push(...(await output.end()));
    const gaps = gapsOf(archive.db);
    if (options.names && (options.names.perChannel || options.partition))
      writeExportManifest(archive, options, files, gaps);
    return { files, messages, left_out: left.length, gaps };
  } catch (error) {
    for (const output of outputs) await output.drop();
    throw error;
  }
}

/** The id of a user by id or name, for those who are called in texts. */
function finder({ db }: OpenArchive): (name: string) => string | undefined {
  const find = db.prepare("SELECT id FROM users WHERE id = ? OR name = ? COLLATE NOCASE LIMIT 1");
  return (name) => find.get(name, name)?.id as string | undefined;
}

const TEXTS: Readonly<Record<Exclude<Format, "sqlite" | "import">, () => ExportForm>> = {
  ndjson: ndjsonForm,
  json: jsonForm,
  csv: csvForm,
  md: markdownForm,
  html: htmlForm,
  txt: textForm,
};

function outputOf(
  format: Format,
  options: ExportOptions,
  selected: Selected,
  left: (id: string) => void,
): ExportOutput {
  const { names, put, over, now, version } = options;
  const ext = EXTENSIONS[format];
  if (format === "sqlite") {
    const file = names!.fileFor({ format, ext });
    if (!over && existsSync(file)) throw new FileThere(file);
    return new SqliteOutput(file, { over, now, version });
  }
  const make = format === "import" ? () => importForm(selected, selected.isHere, left) : TEXTS[format];
  // Everything of an import belongs together.
  const whole = format === "import" && names ? { ...names, perChannel: false } : names;
  const partition = format === "import" ? undefined : options.partition;
  return new TextOutput(make, {
    format,
    ext,
    partition,
    over,
    ...(whole ? { names: whole } : {}),
    ...(put ? { put } : {}),
  });
}

/** Every message to every format; the number of messages. */
async function feed(
  archive: OpenArchive,
  selected: Selected,
  outputs: readonly ExportOutput[],
  { signal, progress, names, attachments, channels }: ExportOptions,
): Promise<number> {
  const total = channels.length || archiveCounts(archive.db).channels;
  let done = 0;
  let messages = 0;
  const each = async (work: (output: ExportOutput) => Promise<void>): Promise<void> => {
    for (const output of outputs) await work(output);
  };
  for (const channel of selected.channels()) {
    await each((output) => output.channel(channel));
    for (const one of selected.messages(channel.channel.cid)) {
      signal.throwIfAborted();
      if (names && attachments === "download") copyFiles(archive, names.root, one);
      await each((output) => output.message(one, channel));
      messages += 1 + one.replies.length;
      if (messages % 1000 === 0) progress(done, total, `${messages} messages`);
    }
    await each((output) => output.endChannel(channel));
    progress(++done, total, `${messages} messages`);
  }
  return messages;
}

/** Each file once, under a name that tells what it is. */
function copyFiles(archive: OpenArchive, root: string, one: Exported): void {
  for (const { hash, name } of [one, ...one.replies].flatMap(({ files }) => files)) {
    const target = path.join(root, copyName(hash, name));
    if (existsSync(target)) continue;
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(path.join(filesFolder(archive.folder), hash), target);
  }
}

function writeExportManifest(
  { db }: OpenArchive,
  { names, version, now, over, anonymize }: ExportOptions,
  files: readonly WrittenFile[],
  gaps: readonly GapRow[],
): void {
  const place = path.join(names!.root, "manifest.json");
  if (!over && existsSync(place)) throw new FileThere(place);
  const manifest = {
    schema: 1,
    version,
    created_at: now,
    provider: readMeta(db, "provider") ?? "",
    // Who made an export without names is none of its readers' business.
    ...(anonymize === undefined ? { user: readMeta(db, "user") ?? "" } : {}),
    files: files.map((one) => ({ ...one, file: path.relative(names!.root, one.file) })),
    gaps: anonymize === undefined ? gaps : gaps.length,
  };
  mkdirSync(names!.root, { recursive: true });
  replaceOwn(place, `${JSON.stringify(manifest, undefined, 2)}\n`);
}
