/** Exports messages from the provider or an archive into files of one or several formats. */
import { existsSync } from "node:fs";
import { fileExists } from "./base/file-problem.ts";
import type { OpenArchive } from "../jobs/archive/open.ts";
import type { ArchiveReadOptions } from "../jobs/archive/meta.ts";
import type { ExportOptions, ExportResult } from "../jobs/export/run.ts";
import { asStoreFailure, StoreFailure } from "../model/files/storage.ts";
import { clean } from "../text/sanitize.ts";
import { count, firstFew } from "../text/words.ts";
import { onArchive } from "./archive/open-archive.ts";
import { fillArchive, gapSentences, readInto } from "./archive/fill-archive.ts";
import { LOOK_BACK, readArchiveOptions, sameOptions } from "./archive/options.ts";
import { planArchive, plannedText } from "./archive/plan.ts";
import type { ReadContext } from "./archive/read/requests.ts";
import { namedChannels } from "./base/bulk/names.ts";
import { shellWord } from "./base/command-hint.ts";
import { CommandError, command, OUTPUT_WRITTEN, type Call, type View } from "./base/define-command.ts";
import { unusedLines } from "./import/unused.ts";
import { checkExport, EXPORT_ARGS, readFormats, readPartition } from "./export/options.ts";
import type { BegunFiles } from "./export/begun-files.ts";
import { begunExport, requireFreePlace, requireOwnFolder } from "./export/target.ts";

type ExportCall = Call<typeof EXPORT_ARGS>;

interface ExportPlan {
  channels: number;
  /** Absent where only reading would tell. */
  messages?: number;
  formats: string[];
  dry_run: true;
}

export default command({
  summary: "Export messages to files",
  group: "Talking",
  changes: "local",
  examples: [
    "export messaging:ops --out ops.ndjson",
    "export messaging:ops --format html,csv --since 30d --out 'ops/{id}-{date}.{ext}'",
    "export --limit 100 --out recent/",
    "export --from ~/archive --format import --out items.jsonl",
    "export --format slack --out slack/",
  ],
  args: EXPORT_ARGS,
  shellOnly: "works on files",
  async run(given): Promise<ExportResult | ExportPlan | typeof OUTPUT_WRITTEN> {
    checkExport(given.args);
    await requireNoArchive(given.args.channels);
    const call = { ...given, args: { ...given.args, channels: await namedChannels(given) } };
    const options = await readExportOptions(call);
    const { from } = call.args;
    await requireOwnFolder(options, call.args.archive);
    const begun = await begunExport(call, options);
    await requireFreePlace(options, begun);
    const target = { ...options, ...(begun && { place: begun }) };
    if (from === undefined) return fromProvider(call, target, begun);
    const { readArchive } = await import("../jobs/archive/open.ts");
    return onArchive(
      () => readArchive(from),
      async (archive) => {
        requireChannels(archive, from, options.channels);
        return call.dry ? planExport(archive, target) : exportArchive(call, archive, target, begun);
      },
    );
  },
  show: (done): View =>
    "dry_run" in (done as object) ? planView(done as ExportPlan) : filesView(done as ExportResult),
  fault: (done) => ("dry_run" in (done as object) ? undefined : errorOf(done as ExportResult)),
});

/** Reads into a temporary archive, or the one from --archive, so that an interrupted run can resume, then exports it. */
async function fromProvider(
  call: ExportCall,
  exportOptions: ExportOptions,
  begun: BegunFiles | undefined,
): Promise<ExportResult | ExportPlan | typeof OUTPUT_WRITTEN> {
  const { archive: archiveFolder, resume } = call.args;
  const reading = readContext(call);
  const readOptions = await readArchiveOptions(call, reading, {
    ...call.args,
    attachments: readAttachments(exportOptions.attachments),
  });
  const options: ArchiveReadOptions = {
    ...readOptions,
    threads: exportOptions.threads !== "none",
    ...newestToRead(exportOptions, archiveFolder),
  };
  if (call.dry) {
    const { channels, messages } = await planArchive(reading, "", options);
    const { threads, dedupe, newest } = exportOptions;
    const isWhole = threads !== "none" && !dedupe && newest === undefined;
    return {
      channels,
      ...(messages === undefined || !isWhole ? {} : { messages }),
      formats: [...exportOptions.formats],
      dry_run: true,
    };
  }
  const { writeArchive } = await import("../jobs/archive/open.ts");
  const { exportRun, workFolder } = await import("./export/work-folder.ts");
  const machine = call.machine!;
  const run = await exportRun(machine, options, call.args.out);
  const work = await workFolder(machine, options, run, resume && archiveFolder === undefined);
  return onArchive(
    () => (archiveFolder === undefined ? work.open() : writeArchive(archiveFolder, { create: true })),
    async (archive) => {
      await fillFromProvider(call, archive, options);
      const how = { ...exportOptions, channels: options.channels };
      const exported = await exportArchive(call, archive, how, begun);
      // Under its lock: an equal run may be about to begin.
      if (archiveFolder === undefined) work.remove();
      return exported;
    },
  );
}

/** One more than asked for, to know whether there are older ones. An archive holds everything; replies and duplicates are only known when all is read. */
const newestToRead = (
  { newest, threads, dedupe }: ExportOptions,
  archive: string | undefined,
): Pick<ArchiveReadOptions, "newest"> =>
  newest === undefined || archive !== undefined || threads === "flat" || dedupe ? {} : { newest: newest + 1 };

/** Files are only downloaded if the export needs them. */
const readAttachments = (attachments: ExportOptions["attachments"]): "link" | "download" =>
  attachments === "download" ? "download" : "link";

const readContext = ({ core, signal, now, progress }: ExportCall): ReadContext => ({
  core,
  signal,
  now,
  showProgress: (text) => progress(0, 1, text),
});

async function fillFromProvider(
  call: ExportCall,
  archive: OpenArchive,
  options: ArchiveReadOptions,
): Promise<void> {
  const { runsOf, interruptedRun } = await import("../jobs/archive/meta.ts");
  const interrupted = interruptedRun(archive.db);
  if (interrupted && !sameOptions(interrupted, options, call.now()))
    throw new CommandError(
      "conflict",
      `The interrupted run${call.args.archive === undefined ? "" : ` in ${call.args.archive}`} was started with other channels or flags.`,
      call.args.archive === undefined
        ? "Repeat its line with --resume, or begin a new export without it."
        : `parley archive update ${call.args.archive} continues it.`,
    );
  const isNew = runsOf(archive.db).length === 0 || interrupted !== undefined;
  // A temporary archive needs no search index and no manifest.
  const readData = call.args.archive === undefined ? readInto : fillArchive;
  try {
    await readData({ ...call, machine: call.machine! }, archive, {
      kind: isNew ? "create" : "update",
      options: isNew ? options : { ...options, lookBack: LOOK_BACK },
    });
  } catch (error) {
    if (call.args.archive !== undefined || !(error instanceof Error)) throw error;
    const value = "run the same command with --resume to continue";
    throw Object.defineProperty(error, "hint", { value });
  }
}

async function exportArchive(
  { note, args: { from } }: ExportCall,
  archive: OpenArchive,
  how: ExportOptions,
  begun: BegunFiles | undefined,
): Promise<ExportResult | typeof OUTPUT_WRITTEN> {
  const { runExport } = await import("../jobs/export/run.ts");
  const run = (): Promise<ExportResult> => runExport(archive, how);
  const done = await (begun ? begun.during(run) : run()).catch(async (error: unknown) => {
    throw await outputProblem(error, from === undefined ? "with --resume" : "again");
  });
  const { limited, unused } = done;
  for (const [format, rows] of Map.groupBy(unused, (row) => row.format))
    for (const line of unusedLines(rows, `not in ${format}`)) note?.(line);
  if (limited.length > 0)
    note?.(
      `only the newest ${count(how.newest!, "message")} of ${limited.length === 1 ? "" : "each of "}${firstFew(limited)}`,
    );
  if (how.names) return done;
  const fault = errorOf(done);
  if (fault) throw fault;
  return OUTPUT_WRITTEN;
}

/** The error of the only file or of a full disk, if it is one; `again`: how the same line goes on. */
async function outputProblem(error: unknown, again: string): Promise<unknown> {
  const { OutputExists, OutputFailed } = await import("../jobs/export/sink.ts");
  if (!(error instanceof OutputFailed)) return error;
  if (error instanceof OutputExists) return fileExists(error.file);
  const failure = asStoreFailure(error.cause, error.file, error.file);
  if (!(failure instanceof StoreFailure)) return new CommandError("rejected", `${error.message}.`);
  if (failure.kind === "full") failure.hint = `Free some space, then run the same line ${again}.`;
  return failure;
}

/** Throws `CommandError` (usage) for the folder of an archive in the place of a channel. */
async function requireNoArchive(channels: readonly string[]): Promise<void> {
  const folder = channels.find((one) => existsSync(one));
  if (folder === undefined) return;
  const { archiveFile } = await import("../jobs/archive/open.ts");
  if (existsSync(archiveFile(folder)))
    throw new CommandError(
      "usage",
      `${folder} is an archive, not a channel.`,
      `parley export --from ${shellWord(folder)}`,
    );
}

async function readExportOptions(call: ExportCall): Promise<ExportOptions> {
  const { channels, out, since, until, threads, reactions, attachments } = call.args;
  const { dedupe, anonymize } = call.args;
  const formats = readFormats(call.args.format);
  const partition = readPartition(call.args.partition);
  const now = new Date(call.now()).toISOString();
  const machine = call.machine!;
  machine.announceLongRun();
  const isSlack = formats.includes("slack");
  const { namesOf, BadPattern } = await import("../jobs/export/pattern.ts");
  const { pseudonymKey } = await import("./export/work-folder.ts");
  const toFiles = out !== undefined && out !== "-";
  try {
    return {
      channels,
      formats,
      since,
      until,
      dedupe,
      partition,
      now,
      // A file of a day has the replies of that day.
      threads: isSlack && threads === "nested" ? "flat" : (threads as ExportOptions["threads"]),
      newest: call.page.given,
      reactions: reactions === "all",
      attachments: attachments as ExportOptions["attachments"],
      anonymize: anonymize && !call.dry ? pseudonymKey(machine) : undefined,
      ...(toFiles
        ? {
            names: isSlack
              ? new (await import("../jobs/export/slack-output.ts")).SlackFolders(out)
              : namesOf(out, { formats: formats.length, partition: partition?.kind, date: now.slice(0, 10) }),
          }
        : { write: machine.terminal ? sanitised(call.output!) : call.output! }),
      place: ANY_PLACE,
      version: machine.version,
      signal: call.signal,
      progress: call.progress,
    };
  } catch (error) {
    throw error instanceof BadPattern ? new CommandError("usage", error.message) : error;
  }
}

/** Standard output has no files. */
const ANY_PLACE: ExportOptions["place"] = { mayReplace: () => true, finishes: () => {} };

/** Removes control sequences before foreign text reaches a terminal. */
const sanitised =
  (put: NonNullable<ExportCall["output"]>) =>
  async (bytes: Uint8Array): Promise<void> =>
    put(Buffer.from(clean(Buffer.from(bytes).toString("utf8")), "utf8"));

function requireChannels({ db }: OpenArchive, folder: string, cids: readonly string[]): void {
  const has = db.prepare("SELECT 1 FROM channels WHERE cid = ?");
  const missing = cids.filter((cid) => has.get(cid) === undefined);
  if (missing.length > 0)
    throw new CommandError(
      "notFound",
      `${folder} has no channel ${firstFew(missing)}.`,
      `parley archive stats ${folder}`,
    );
}

async function planExport({ db }: OpenArchive, options: ExportOptions): Promise<ExportPlan> {
  const { SelectedMessages } = await import("../jobs/export/select.ts");
  const { ArchiveReader } = await import("../jobs/archive/read.ts");
  const selected = new SelectedMessages(new ArchiveReader(db), options);
  const plan = { channels: 0, messages: 0 };
  for (const { realCid } of selected.channels()) {
    plan.channels++;
    for (const { replies } of selected.messages(realCid)) plan.messages += 1 + replies.length;
  }
  return { ...plan, formats: [...options.formats], dry_run: true };
}

const planView = (plan: ExportPlan): View => ({
  kind: "line",
  text: `would export ${plannedText(plan)}, as ${plan.formats.join(", ")}`,
});

const filesView = ({ files }: ExportResult): View => ({
  kind: "table",
  columns: ["file", "format", "messages", "bytes", "sha256"],
  rows: files.map(({ file, format, messages, bytes, sha256 }) => [file, format, messages, bytes, sha256]),
});

/** The error (partial) for files that could not be written, gaps, damaged rows and messages a format cannot carry. */
function errorOf({ failed, gaps, damaged, unused, kept_in: keptIn }: ExportResult): CommandError | undefined {
  const left = unused.filter(({ lost }) => lost).reduce((sum, row) => sum + row.count, 0);
  const lost = failed.map(({ file, reason }) => `${file} ${reason}`);
  const damagedGaps = damaged.map((part) => ({ cid: "", part, reason: "damaged", at: "" }));
  const sentences = [
    ...(lost.length === 0 ? [] : [`${count(lost.length, "file")} could not be written: ${lost.join("; ")}.`]),
    ...gapSentences(
      [...gaps, ...damagedGaps],
      keptIn === undefined ? "" : ` and kept as it came, in ${keptIn}`,
    ),
    ...(left === 0
      ? []
      : [`${count(left, "message")} cannot be imported and ${left === 1 ? "is" : "are"} left out.`]),
  ];
  if (sentences.length === 0) return undefined;
  const isUnkept = keptIn === undefined && gaps.some(({ unread }) => unread);
  const hint = failed.some(({ exists }) => exists)
    ? "Add --force to overwrite existing files."
    : isUnkept
      ? "With --out a file beside keeps it as it came, with --archive the archive."
      : undefined;
  return new CommandError("partial", sentences.join(" "), hint);
}
