/** Converts an export of this provider or of another program into import items, printed or written with --out. */
import { fileExists, fileProblem, requireWritable } from "../base/file-problem.ts";
import type { ImportItem, Unused } from "../../wire/entities/import.ts";
import { count } from "../../text/words.ts";
import { CommandError, command } from "../base/define-command.ts";
import type { Source } from "../../jobs/foreign/convert-any.ts";
import { EXPORT_FILE, EXPORT_SOURCES } from "./sources.ts";
import { unusedError } from "./unused.ts";

interface ConvertResult {
  file: string;
  items: number;
  /** What the file has and the import does not, by reason. */
  unused: Unused[];
  dry_run?: true;
}

export default command({
  summary: "Convert an export, also of another service, into an import file",
  changes: "local",
  examples: [
    "import convert ops.jsonl --out import.jsonl",
    "import convert slack-export.zip --out import.jsonl",
    "import convert lines.ndjson --source plain --ndjson",
  ],
  args: {
    file: {
      kind: "file",
      positional: true,
      help: `An export (v1 or v2), ${EXPORT_FILE}`,
    },
    source: {
      kind: "choice",
      choices: EXPORT_SOURCES,
      default: "auto",
      help: "What kind of file it is; auto detects it",
    },
    out: { kind: "file", value: "file", help: "Output file; - is standard output" },
    force: { kind: "flag", help: "Overwrite an existing file" },
  },
  streams: () => "finite",
  shellOnly: "works on files",
  offline: true,
  async *run(call): AsyncIterable<ImportItem | ConvertResult> {
    const { source, out, force } = call.args;
    const isPrinted = out === undefined || out === "-";
    if (force && isPrinted) throw new CommandError("usage", "--force is for a file of --out.");
    if (!isPrinted) await requireWritable(out, force);
    const file = (await call.localFile?.(call.args.file)) ?? call.args.file;
    const { writeLines } = await import("../../jobs/convert-export.ts");
    const { convertAny, Tally, TakenFiles } = await import("../../jobs/foreign/convert-any.ts");
    const tally = new Tally();
    const { channelType, signal } = call;
    const taken = isPrinted ? undefined : new TakenFiles(out, { dry: call.dry });
    const options = { source: source as Source, channelType, signal, now: call.now(), tally, taken };
    const items = convertAny(file, options);
    try {
      if (isPrinted) yield* items;
      else if (call.dry) {
        let found = 0;
        for await (const _ of items) found++;
        yield { file: out, items: found, unused: tally.rows, dry_run: true };
      } else {
        const written = await writeLines(items, out, { over: force === true, signal });
        yield { file: out, items: written, unused: tally.rows };
      }
    } catch (error) {
      throw await convertRefusal(error, call.args.file, out);
    }
    const error = unusedError(tally.rows, call.note);
    if (error) throw error;
  },
  show: (one) => ("items" in one ? convertSummary(one) : JSON.stringify(one)),
});

interface ForeignFile {
  file: string;
  source: string;
  /** Output file for the items. */
  items: string;
  channelType: string;
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  now: number;
}

/** Converts a foreign file and returns what is not used; undefined if the file contains import items already. Throws `CommandError`. */
export async function convertForeign({
  file,
  source,
  items,
  channelType,
  signal,
  now,
}: ForeignFile): Promise<Unused[] | undefined> {
  const { convertAny, exportSource, TakenFiles, Tally } = await import("../../jobs/foreign/convert-any.ts");
  const { writeLines } = await import("../../jobs/convert-export.ts");
  try {
    const detected = source === "auto" ? await exportSource(file) : source;
    if (source !== "export" && detected === "export") return undefined;
    const tally = new Tally();
    const taken = new TakenFiles(items);
    const options = { source: detected as Source, channelType, signal, now, tally, taken };
    await writeLines(convertAny(file, options), items, { over: true, signal });
    return tally.rows;
  } catch (error) {
    throw await convertRefusal(error, file, items);
  }
}

/** Turns an error of the input or output file into a `CommandError`. */
async function convertRefusal(error: unknown, file: string, out: string | undefined): Promise<unknown> {
  const { FileExists, NotAnExport } = await import("../../jobs/convert-export.ts");
  const { BadLine, BadExport } = await import("../../jobs/foreign/convert-any.ts");
  if (error instanceof FileExists && out !== undefined) return fileExists(out);
  if (error instanceof BadLine)
    return new CommandError("rejected", `${file === "-" ? "standard input" : file}, ${error.message}.`);
  if (error instanceof NotAnExport || error instanceof BadExport)
    return new CommandError("rejected", error.message, "parley help importing says what can be converted");
  // Errors about the output file name its path already.
  return (error as NodeJS.ErrnoException).syscall === "read" ? fileProblem(error, file) : error;
}

const convertSummary = ({ file, items, dry_run: dry }: ConvertResult): string =>
  `${dry ? "would write " : ""}${file}: ${count(items, "item")}`;
