/** Exports an archive: reads it once, passes each message to every format, copies files and writes the manifest. */
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { makeFolders } from "../../model/files/leftovers.ts";
import { storageKind } from "../../model/files/storage.ts";
import { archiveCounts, gapsOf, keptItems, type GapRow } from "../archive/counts.ts";
import { readMeta } from "../archive/meta.ts";
import { filesFolder, manifestFile, type OpenArchive } from "../archive/open.ts";
import type { Unused } from "../../wire/entities/import.ts";
import { Tally } from "../tally.ts";
import { ArchiveReader } from "../archive/read.ts";
import { csvForm } from "./form-csv.ts";
import { htmlForm } from "./form-html.ts";
import { importForm } from "./form-import.ts";
import { jsonForm, ndjsonForm } from "./form-json.ts";
import { markdownForm, textForm } from "./form-text.ts";
import type { Exported, ExportForm, Partition } from "./form.ts";
import type { KnownPerson } from "./known-names.ts";
import type { FileNames } from "./pattern.ts";
import { Pseudonyms } from "./pseudonyms.ts";
import { SelectedMessages, type Selection } from "./select.ts";
import { onFile, OutputExists, OutputFailed, writeWhole, type OutputPlace } from "./sink.ts";
import { SlackOutput, type SlackFolders } from "./slack-output.ts";
import { SqliteOutput } from "./sqlite-output.ts";
import { copyName, TextOutput, type ExportOutput, type FailedFile, type WrittenFile } from "./text-output.ts";

const EXTENSIONS = {
  ndjson: "ndjson",
  json: "json",
  csv: "csv",
  md: "md",
  html: "html",
  txt: "txt",
  sqlite: "sqlite",
  import: "jsonl",
  slack: "json",
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
  place: OutputPlace;
  /** Version of Parley. */
  version: string;
  /** RFC 3339. */
  now: string;
  signal: AbortSignal;
  progress(done: number, total: number, text: string): void;
}

export interface ExportResult {
  files: WrittenFile[];
  /** Files that could not be written; the others are complete. */
  failed: FailedFile[];
  messages: number;
  /** Channels whose older messages are left out because of `newest`. */
  limited: string[];
  /** What a format has no place for. */
  unused: (Unused & { format: Format })[];
  gaps: GapRow[];
  /** The file with the items that are kept as they came; absent without any. */
  kept_in?: string;
  /** Damaged rows of the archive, which are left out. */
  damaged: string[];
}

/** Several files have a manifest beside them. */
export const hasExportManifest = ({
  names,
  partition,
}: Pick<ExportOptions, "names" | "partition">): boolean =>
  names !== undefined && (names.perChannel || partition !== undefined);

/** The file of an export that makes no other. */
export function onlyFile({
  names,
  formats,
  partition,
}: Pick<ExportOptions, "names" | "formats" | "partition">): string | undefined {
  if (!names || formats.length > 1 || hasExportManifest({ names, partition })) return undefined;
  const format = formats[0]!;
  return names.fileFor({ format, ext: EXTENSIONS[format] });
}

/** A file that cannot be written stops no other one: `failed` names it. Incomplete files are removed. Throws `OutputFailed` for the only file, and on a full disk. */
export async function runExport(archive: OpenArchive, options: ExportOptions): Promise<ExportResult> {
  const reader = new ArchiveReader(archive.db);
  const key = options.anonymize;
  const selected = new SelectedMessages(reader, {
    ...options,
    ...(key === undefined ? {} : { pseudonyms: new Pseudonyms(key, peopleIn(archive)) }),
  });
  const outputs = new Outputs(options, selected);
  try {
    await outputs.open();
    const { messages, limited } = await exportMessages(archive, selected, outputs, options);
    const files = await outputs.end();
    const keptIn = await writeUnread(archive, options, outputs, files[0]?.file);
    const gaps = gapsOf(archive.db);
    const { failed, firstError, unused } = outputs;
    if (firstError && failed.length === 1 && files.length === 0) throw firstError;
    if (hasExportManifest(options))
      await outputs.attempt("manifest", () =>
        writeExportManifest(archive, options, { files, failed, unused, limited, gaps }),
      );
    const damaged = [...reader.rows.damaged];
    const kept = keptIn === undefined ? {} : { kept_in: keptIn };
    return { files, failed, messages, unused, limited, gaps, ...kept, damaged };
  } catch (error) {
    await outputs.forEach((output) => output.discard());
    throw error;
  }
}

/** The outputs of all formats; one that fails is dropped and named. */
class Outputs {
  readonly failed: FailedFile[] = [];
  firstError: OutputFailed | undefined;
  readonly #options: ExportOptions;
  readonly #selected: SelectedMessages;
  readonly #tallies = new Map<Format, Tally>();
  readonly #live = new Map<ExportOutput, Format>();

  constructor(options: ExportOptions, selected: SelectedMessages) {
    this.#options = options;
    this.#selected = selected;
  }

  get unused(): ExportResult["unused"] {
    return [...this.#tallies].flatMap(([format, { rows }]) => rows.map((row) => ({ format, ...row })));
  }

  async open(): Promise<void> {
    for (const format of this.#options.formats)
      await this.attempt(format, async () => {
        this.#live.set(await this.#outputOf(format), format);
      });
  }

  async forEach(work: (output: ExportOutput) => Promise<void>): Promise<void> {
    for (const [output, format] of this.#live)
      if (!(await this.attempt(format, () => work(output)))) {
        this.#live.delete(output);
        await output.discard();
      }
  }

  async end(): Promise<WrittenFile[]> {
    const files: WrittenFile[] = [];
    await this.forEach(async (output) => void files.push(...(await output.end())));
    return files;
  }

  /** False if the file of this format could not be written. */
  async attempt(format: FailedFile["format"], work: () => Promise<void> | void): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof OutputFailed)) throw error;
      this.#fail(format, error);
      return false;
    }
  }

  /** A full disk ends the export, as what follows has no place either. */
  #fail(format: FailedFile["format"], error: OutputFailed): void {
    if (storageKind(error.cause) === "full") throw error;
    const { file, reason } = error;
    this.firstError ??= error;
    this.failed.push({ file, format, reason, ...(error instanceof OutputExists && { exists: true }) });
  }

  #slackOutput(names: SlackFolders): ExportOutput {
    const tally = new Tally();
    this.#tallies.set("slack", tally);
    return new SlackOutput(this.#selected, names, {
      place: this.#options.place,
      onFailed: (failure) => this.#fail("slack", failure),
      onUnused: (...of) => tally.add(...of),
    });
  }

  async #outputOf(format: Format): Promise<ExportOutput> {
    const { names, write, place, now, version, newest, partition } = this.#options;
    const ext = EXTENSIONS[format];
    if (format === "slack") return this.#slackOutput(names as SlackFolders);
    if (format === "sqlite") {
      const file = names!.fileFor({ format, ext });
      return onFile(file, () => new SqliteOutput(file, { place, now, version, newest }));
    }
    const createForm =
      format === "import"
        ? () => importForm(this.#selected, this.#selected.isExported)
        : TEXT_FORMATS[format];
    const isImport = format === "import";
    const tally = new Tally();
    this.#tallies.set(format, tally);
    // An import is always a single file.
    const allNames = isImport && names ? { ...names, perChannel: false } : names;
    return new TextOutput(createForm, {
      format,
      ext,
      partition: isImport ? undefined : partition,
      place,
      onFailed: (failure) => this.#fail(format, failure),
      onUnused: (...of) => tally.add(...of),
      ...(allNames ? { names: allNames } : {}),
      ...(write ? { write } : {}),
    });
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

const TEXT_FORMATS: Readonly<Record<Exclude<Format, "sqlite" | "import" | "slack">, () => ExportForm>> = {
  ndjson: ndjsonForm,
  json: jsonForm,
  csv: csvForm,
  md: markdownForm,
  html: htmlForm,
  txt: textForm,
};

/** Passes every message to every format; returns their number, and the channels of which it left out older ones. */
async function exportMessages(
  archive: OpenArchive,
  selected: SelectedMessages,
  outputs: Outputs,
  { signal, progress, names, attachments, channels }: ExportOptions,
): Promise<Pick<ExportResult, "messages" | "limited">> {
  const total = channels.length || archiveCounts(archive.db).channels;
  let done = 0;
  let messages = 0;
  const limited: string[] = [];
  const copied = new Set<string>();
  for (const channel of selected.channels()) {
    await outputs.forEach((output) => output.channel(channel));
    for (const one of selected.messages(channel.realCid)) {
      signal.throwIfAborted();
      if (names && attachments === "download") await copyFiles(archive, names, one, { copied, outputs });
      await outputs.forEach((output) => output.message(one, channel));
      messages += 1 + one.replies.length;
      if (messages % 1000 === 0) progress(done, total, `${messages} messages`);
    }
    await outputs.forEach((output) => output.endChannel(channel));
    if (selected.isCut(channel.realCid)) limited.push(channel.channel.cid);
    progress(++done, total, `${messages} messages`);
  }
  return { messages, limited };
}

/** Copies each file once, under a readable name. */
async function copyFiles(
  archive: OpenArchive,
  { root, copyName: nameOf = copyName }: FileNames,
  exported: Exported,
  { copied, outputs }: { copied: Set<string>; outputs: Outputs },
): Promise<void> {
  for (const { hash, name } of [exported, ...exported.replies].flatMap(({ files }) => files)) {
    const target = path.join(root, nameOf(hash, name));
    if (copied.has(target)) continue;
    copied.add(target);
    if (existsSync(target)) continue;
    await outputs.attempt("file", () =>
      onFile(target, () => {
        const unmake = makeFolders(path.dirname(target));
        // Of its whole length once it has its name: a later run takes it as it is.
        const part = `${target}.part`;
        try {
          copyFileSync(path.join(filesFolder(archive.folder), hash), part);
          renameSync(part, target);
        } catch (error) {
          rmSync(part, { force: true });
          unmake();
          throw error;
        }
      }),
    );
  }
}

/** Writes what could not be read to a file beside the others, as it came; an anonymous export leaves it out, as anybody may be in it. */
async function writeUnread(
  { db }: OpenArchive,
  { names, channels, place, anonymize }: ExportOptions,
  outputs: Outputs,
  first = "export",
): Promise<string | undefined> {
  if (!names || anonymize !== undefined) return undefined;
  const rows = [...keptItems(db)].filter(
    ({ cid }) => cid === "" || channels.length === 0 || channels.includes(cid),
  );
  if (rows.length === 0) return undefined;
  const { dir, name } = path.parse(first);
  const file = names.perChannel
    ? path.join(names.root, "unread.ndjson")
    : path.join(dir, `${name}-unread.ndjson`);
  const isWritten = await outputs.attempt("unread", () =>
    onFile(file, () => {
      writeWhole(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""), place);
    }),
  );
  return isWritten ? file : undefined;
}

async function writeExportManifest(
  { db }: OpenArchive,
  { names, version, now, place, anonymize, newest, partition }: ExportOptions,
  {
    files,
    failed,
    unused,
    limited,
    gaps,
  }: Pick<ExportResult, "files" | "failed" | "unused" | "limited" | "gaps">,
): Promise<void> {
  const file = manifestFile(names!.root);
  const fromRoot = <T extends { file: string }>(one: T): T => ({
    ...one,
    file: path.relative(names!.root, one.file),
  });
  const manifest = {
    schema: 1,
    version,
    created_at: now,
    provider: readMeta(db, "provider") ?? "",
    // An anonymous export does not name its author.
    ...(anonymize === undefined ? { user: readMeta(db, "user") ?? "" } : {}),
    ...(partition && { partition: partition.kind, ...("limit" in partition && { limit: partition.limit }) }),
    files: files.map(fromRoot),
    ...(failed.length === 0 ? {} : { failed: failed.map(fromRoot) }),
    ...(unused.length === 0 ? {} : { unused }),
    ...(newest === undefined ? {} : { limited: { newest, channels: limited } }),
    gaps: anonymize === undefined ? gaps : gaps.length,
  };
  await onFile(file, () => {
    writeWhole(file, `${JSON.stringify(manifest, undefined, 2)}\n`, place);
  });
}
