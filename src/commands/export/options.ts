/** The options of an export and their checks. */
import type { Format } from "../../jobs/export/run.ts";
import type { Partition } from "../../jobs/export/form.ts";
import { BULK_ARGS } from "../base/bulk/bulk.ts";
import { CommandError, type Args, type ArgValues } from "../base/define-command.ts";
import { nearestName } from "../../text/spelling.ts";
import { readSize } from "../archive/options.ts";

const FORMATS: readonly Format[] = [
  "ndjson",
  "json",
  "csv",
  "md",
  "html",
  "txt",
  "sqlite",
  "import",
  "slack",
];

export const EXPORT_ARGS = {
  channels: {
    kind: "list",
    positional: true,
    optional: true,
    help: "The channels (default: all of yours, or all of --from)",
  },
  file: BULK_ARGS.file,
  from: { kind: "text", value: "folder", help: "Export from this archive instead of from the provider" },
  archive: { kind: "text", value: "folder", help: "Also keep an archive in this folder" },
  format: {
    kind: "list",
    value: "format",
    choices: FORMATS,
    commas: true,
    help: `${FORMATS.join(", ")}; with commas or repeated for several (ndjson)`,
  },
  out: {
    kind: "file",
    value: "pattern",
    help: "A file, a folder, or a pattern with {type} {id} {cid} {name} {date} {format} {ext} {part}; - is standard output",
  },
  filter: { kind: "text", value: "json", help: "Filter of channels as JSON, if none are named" },
  since: { kind: "time", help: "Only messages from this time on" },
  until: { kind: "time", help: "Only messages up to this time" },
  threads: {
    kind: "choice",
    choices: ["nested", "flat", "none"],
    default: "nested",
    help: "nested: replies with their message; flat: all by their time; none: no replies",
  },
  reactions: {
    kind: "choice",
    choices: ["all", "none"],
    default: "all",
    help: "all includes who reacted how",
  },
  attachments: {
    kind: "choice",
    choices: ["none", "link", "download"],
    default: "link",
    help: "link keeps the addresses of files, download fetches the files too",
  },
  maxFileSize: { kind: "text", value: "size", help: "Skip files larger than this, for example 20mb (100mb)" },
  dedupe: { kind: "flag", help: "Drop duplicates: the same text by the same person within a second" },
  anonymize: {
    kind: "flag",
    help: "Replace ids and full names by stable pseudonyms; leaves out files and custom fields. Nicknames and first names in texts stay",
  },
  partition: {
    kind: "text",
    value: "part",
    help: "Start a new file every 10k messages, every 50mb, every month or every day (of UTC): {part} is 1, 2 …, 2026-05 or 2026-05-01",
  },
  resume: { kind: "flag", help: "Resume an interrupted export" },
  force: { kind: "flag", help: "Overwrite existing files" },
} as const satisfies Args;

/** Throws `CommandError` (usage) for an unknown format. */
export function readFormats(words: readonly string[] = []): Format[] {
  for (const word of words) {
    if ((FORMATS as readonly string[]).includes(word)) continue;
    const suggestion = nearestName(word, FORMATS);
    throw new CommandError(
      "usage",
      `--format must be ${FORMATS.join(", ")}, not '${word}'.`,
      suggestion === undefined ? undefined : `Did you mean ${suggestion}?`,
    );
  }
  return words.length === 0 ? ["ndjson"] : ([...new Set(words)] as Format[]);
}

/** `10k`, `50mb`, `month` or `day`. Throws `CommandError` (usage). */
export function readPartition(text: string | undefined): Partition | undefined {
  if (text === undefined) return undefined;
  if (text === "month" || text === "day") return { kind: text };
  const [, number, k] = /^(\d{1,9}(?:\.\d{1,3})?)(k?)$/i.exec(text) ?? [];
  if (number === undefined) return { kind: "bytes", limit: readSize("partition", text) };
  const limit = Number(number) * (k ? 1000 : 1);
  if (!Number.isInteger(limit) || limit < 1)
    throw new CommandError(
      "usage",
      `--partition must be month, day, a number of messages such as 500 or 20k, or a size such as 20mb, not '${text}'.`,
    );
  return { kind: "messages", limit };
}

/** Throws `CommandError` (usage) for flags that cannot be combined. */
export function checkExport(args: ArgValues<typeof EXPORT_ARGS>): void {
  const { from, archive, filter, out, format, attachments, partition, resume } = args;
  const formats = readFormats(format);
  const toFiles = out !== undefined && out !== "-";
  const refuse = (reason: string): never => {
    throw new CommandError("usage", reason);
  };
  if (from !== undefined && (archive ?? filter) !== undefined)
    refuse("--from is read as it is: leave --archive and --filter out.");
  if (from !== undefined && resume) refuse("--resume is for what is read from the provider, not for --from.");
  if (!toFiles && formats.length > 1)
    refuse("Several formats need several files: add --out with {ext} in it.");
  if (formats.includes("slack")) {
    if (formats.length > 1) refuse("slack is a folder of its own: export other formats with another line.");
    if (!toFiles || /[{}]/.test(out)) refuse("slack is a folder: name it with --out.");
    if (/\.zip$/i.test(out!)) refuse("slack is a folder, not a zip: name it without .zip, and zip it then.");
    if (partition !== undefined) refuse("slack has a file for each day: leave --partition out.");
  }
  if (!toFiles && formats[0] === "sqlite") refuse("sqlite is a file: add --out.");
  if (!toFiles && attachments === "download")
    refuse("--attachments download puts files beside the export: add --out.");
  if (!toFiles && partition !== undefined) refuse("--partition makes several files: add --out.");
  const singleFile = formats.find((one) => one === "sqlite" || one === "import");
  if (partition !== undefined && singleFile !== undefined)
    refuse(`${singleFile} is one file: leave --partition out.`);
}
