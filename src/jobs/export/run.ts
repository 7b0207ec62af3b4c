/** Exports an archive: reads it once, passes each message to every format, copies files and writes the manifest. */
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
import type { KnownPerson } from "./known-names.ts";
import type { FileNames } from "./pattern.ts";
import { Pseudonyms } from "./pseudonyms.ts";
import { SelectedMessages, type Selection } from "./select.ts";
import { OutputExists } from "./sink.ts";
import { SqliteOutput } from "./sqlite-output.ts";
import { copyName, TextOutput, type ExportOutput, type Partition, type WrittenFile } from "./text-output.ts";

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
  /** Key for pseudonyms; absent: people are not replaced. */
  anonymize?: string | undefined;
  /** Absent: standard output, through `write`. */
  names?: FileNames;
  write?: (bytes: Uint8Array) => Promise<void>;
  partition?: Partition | undefined;
  overwrite: boolean;
  /** Version of Parley. */
  version: string;
  /** RFC 3339. */
  now: string;
  signal: AbortSignal;
  progress(done: number, total: number, text: string): void;
}

export interface ExportResult {
  files: WrittenFile[];
  messages: number;
  /** Channels whose older messages are left out because of `newest`. */
  limited: string[];
  /** Messages the import format cannot carry. */
  left_out: number;
  gaps: GapRow[];
  /** Damaged rows of the archive, which are left out. */
  damaged: string[];
}

/** Throws `OutputExists` for existing files, unless `overwrite`; incomplete files are removed. */
export async function runExport(archive: OpenArchive, options: ExportOptions): Promise<ExportResult> {
  const reader = new ArchiveReader(archive.db);
  const key = options.anonymize;
  const selected = new SelectedMessages(reader, {
    ...options,
    ...(key === undefined ? {} : { pseudonyms: new Pseudonyms(key, peopleIn(archive)) }),
  });
  const leftOut: string[] = [];
  const outputs = options.formats.map((format) =>
    outputOf(format, options, selected, (id) => leftOut.push(id)),
  );
  try {
    const { messages, limited } = await exportMessages(archive, selected, outputs, options);
    const files: WrittenFile[] = [];
    for (const output of outputs) files.push(...(await output.end()));
    const gaps = gapsOf(archive.db);
    if (options.names && (options.names.perChannel || options.partition))
      writeExportManifest(archive, options, { files, limited, gaps });
    return { files, messages, limited, left_out: leftOut.length, gaps, damaged: [...reader.rows.damaged] };
  } catch (error) {
    for (const output of outputs) await output.discard();
    throw error;
  }
}

/** Everybody an archive knows, under each name that it has seen. */
function peopleIn({ db }: OpenArchive): Iterable<KnownPerson> {
  const of = (table: string, field: string): string =>
    `SELECT raw ->> '$.${field}.id', raw ->> '$.${field}.name' FROM ${table}
     WHERE json_valid(raw) AND raw ->> '$.${field}.id' IS NOT NULL`;
  return db
    .prepare(
      `SELECT id, name FROM users UNION ${of("messages", "user")} UNION ${of("messages", "pinned_by")}
       UNION ${of("polls", "created_by")} UNION ${of("channels", "created_by")} ORDER BY 1, 2`,
    )
    .all() as unknown as KnownPerson[];
}

const TEXT_FORMATS: Readonly<Record<Exclude<Format, "sqlite" | "import">, () => ExportForm>> = {
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
  selected: SelectedMessages,
  onLeftOut: (id: string) => void,
): ExportOutput {
  const { names, write, overwrite, now, version, newest } = options;
  const ext = EXTENSIONS[format];
  if (format === "sqlite") {
    const file = names!.fileFor({ format, ext });
    if (!overwrite && existsSync(file)) throw new OutputExists(file);
    return new SqliteOutput(file, { overwrite, now, version, newest });
  }
  const createForm =
    format === "import" ? () => importForm(selected, selected.isExported, onLeftOut) : TEXT_FORMATS[format];
  // An import is always a single file.
  const allNames = format === "import" && names ? { ...names, perChannel: false } : names;
  const partition = format === "import" ? undefined : options.partition;
  return new TextOutput(createForm, {
    format,
    ext,
    partition,
    overwrite,
    ...(allNames ? { names: allNames } : {}),
    ...(write ? { write } : {}),
  });
}

/** Passes every message to every format; returns their number, and the channels of which it left out older ones. */
async function exportMessages(
  archive: OpenArchive,
  selected: SelectedMessages,
  outputs: readonly ExportOutput[],
  { signal, progress, names, attachments, channels }: ExportOptions,
): Promise<Pick<ExportResult, "messages" | "limited">> {
  const total = channels.length || archiveCounts(archive.db).channels;
  let done = 0;
  let messages = 0;
  const limited: string[] = [];
  const forEachOutput = async (work: (output: ExportOutput) => Promise<void>): Promise<void> => {
    for (const output of outputs) await work(output);
  };
  for (const channel of selected.channels()) {
    await forEachOutput((output) => output.channel(channel));
    for (const one of selected.messages(channel.realCid)) {
      signal.throwIfAborted();
      if (names && attachments === "download") copyFiles(archive, names.root, one);
      await forEachOutput((output) => output.message(one, channel));
      messages += 1 + one.replies.length;
      if (messages % 1000 === 0) progress(done, total, `${messages} messages`);
    }
    await forEachOutput((output) => output.endChannel(channel));
    if (selected.isCut(channel.realCid)) limited.push(channel.channel.cid);
    progress(++done, total, `${messages} messages`);
  }
  return { messages, limited };
}

/** Copies each file once, under a readable name. */
function copyFiles(archive: OpenArchive, root: string, exported: Exported): void {
  for (const { hash, name } of [exported, ...exported.replies].flatMap(({ files }) => files)) {
    const target = path.join(root, copyName(hash, name));
    if (existsSync(target)) continue;
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(path.join(filesFolder(archive.folder), hash), target);
  }
}

function writeExportManifest(
  { db }: OpenArchive,
  { names, version, now, overwrite, anonymize, newest }: ExportOptions,
  { files, limited, gaps }: Pick<ExportResult, "files" | "limited" | "gaps">,
): void {
  const file = path.join(names!.root, "manifest.json");
  if (!overwrite && existsSync(file)) throw new OutputExists(file);
  const manifest = {
    schema: 1,
    version,
    created_at: now,
    provider: readMeta(db, "provider") ?? "",
    // An anonymous export does not name its author.
    ...(anonymize === undefined ? { user: readMeta(db, "user") ?? "" } : {}),
    files: files.map((one) => ({ ...one, file: path.relative(names!.root, one.file) })),
    ...(newest === undefined ? {} : { limited: { newest, channels: limited } }),
    gaps: anonymize === undefined ? gaps : gaps.length,
  };
  mkdirSync(names!.root, { recursive: true });
  replaceOwn(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
}
