/** Prints the results of a command item by item in the requested form: table, TSV, JSON, NDJSON, CSV, jq or template. */
import { whenReaderGone } from "../base/reader-gone.ts";
import { asView, fieldsView, type View } from "../../commands/base/define-command.ts";
import { emptyViewOf } from "../../commands/base/empty-view.ts";
import { noPages } from "../../commands/base/lists/cursor.ts";
import { DONE_HINT, ExitError } from "../base/exit.ts";
import type { Shell } from "../base/shell.ts";
import { jqWriter, jsonWriter, lineWriter, ndjsonLine, templateLine } from "./data.ts";
import { checkedWriter, knownFields, namedFields } from "./fields.ts";
import { plainLine } from "./controls.ts";
import { strayBraces } from "./template.ts";
import { csvColumns, csvWriter, tableWriter, tsvWriter } from "./tables.ts";
import type { WriterContext, Writer } from "./writer.ts";

const WRITERS = {
  table: tableWriter,
  tsv: tsvWriter,
  csv: csvWriter,
  json: jsonWriter,
  ndjson: lineWriter(ndjsonLine),
  jq: jqWriter,
  template: lineWriter(templateLine),
} satisfies Record<string, (listing: WriterContext) => Writer>;

type Form = keyof typeof WRITERS;

/** The output form chosen by flags, settings or terminal. Throws `ExitError` 2 for two forms or an invalid template. */
export function outputForm(shell: Shell): Form {
  const { flags, settings, tty } = shell;
  const requested = [
    flags.json !== undefined && flags.jq === undefined ? "json" : "",
    flags.ndjson !== undefined && flags.jq === undefined ? "ndjson" : "",
    flags.csv ? "csv" : "",
    flags.table ? "table" : "",
    flags.jq === undefined ? "" : "jq",
    flags.template === undefined ? "" : "template",
  ].filter(Boolean);
  if (requested.length > 1)
    throw new ExitError(2, `${requested.map((form) => `--${form}`).join(" and ")} cannot be combined.`);
  const strayBrace = strayBraces(flags.template ?? "");
  if (strayBrace !== undefined)
    throw new ExitError(
      2,
      `'${plainLine(strayBrace)}' in --template is not a field.`,
      "Write fields as {{name}}.",
    );
  if (requested[0]) return requested[0] as Form;
  if (settings.output !== "auto") return settings.output;
  return tty.out ? "table" : "tsv";
}

/** Commands whose result is the message that was sent. */
const SENDS = new Set(["send", "message send", "thread reply", "location share", "poll create"]);

/** A change in words. `count`: how many results there were. */
function changeText(path: string, value: unknown, view: View | undefined, count: number): string {
  const { id, status, message } = (value ?? {}) as {
    id?: unknown;
    status?: unknown;
    message?: { id?: unknown };
  };
  const messageId = path === "poll create" ? message?.id : id;
  if (SENDS.has(path) && typeof messageId === "string") {
    const done = status === "sending" ? "queued" : "sent";
    return count > 1
      ? `${count} messages were ${done}, the last one as ${messageId}`
      : `${done} as ${messageId}`;
  }
  const line = plainLine(lineOf(view) ?? (typeof id === "string" ? id : ""));
  const done = line === "" ? "it was done" : `done: ${line}`;
  return count > 1 ? `${count} were done, the last one: ${line}` : done;
}

/** The view as one line. */
function lineOf(view: View | undefined): string | undefined {
  switch (view?.kind) {
    case "line":
      return view.text;
    case "text":
      return view.lines[0];
    case "table":
      return view.rows[0]?.filter((cell) => cell !== undefined).join(" ");
    case "fields":
      return view.fields.map(([name, cell]) => `${name} ${cell ?? ""}`).join(", ");
    default:
      return undefined;
  }
}

/** The error for a result that cannot be shown after a change: it names the change, because the same line would make it again. */
function unshown({ changed }: Pick<Shell, "changed">, error: unknown): unknown {
  if (changed.last === undefined || !(error instanceof Error)) return error;
  return new ExitError(12, `${changed.last}, but the result cannot be shown`, DONE_HINT, error.message);
}

interface Results {
  item(value: unknown, view: View | undefined): Promise<void>;
  /** `empty`: how an item would be shown, for the header of a list without any. */
  end(empty?: () => View | undefined): Promise<void>;
}

/** The columns of a list without items: those of its view, else its known fields. */
function emptyColumns(path: string, empty: (() => View | undefined) | undefined): readonly string[] {
  const columns = csvColumns(empty?.());
  return columns.length > 0 ? columns : knownFields(path);
}

/**
 * `list`: the results form an array, even if there is only one; otherwise a single value. `live`: prints rows as they
 * arrive. `path`: the command.
 */
export function openResults(shell: Shell, list: boolean, live = false, path = shell.path ?? ""): Results {
  const unchecked: Writer = WRITERS[outputForm(shell)]({ shell, list, live });
  const names = live ? [] : namedFields(shell);
  const writer = names.length === 0 ? unchecked : checkedWriter(shell, path, names, unchecked);
  let count = 0;
  const isChange = (): boolean => !shell.flags.dryRun && (shell.counts.writes > 0 || shell.changes === true);
  return {
    async item(value, view) {
      count++;
      shell.counts.items++;
      if (isChange()) shell.changed.last = changeText(path, value, view, count);
      await writer.item(value, view).catch((error: unknown) => {
        throw unshown(shell, error);
      });
    },
    end: (empty) =>
      writer.end(count, list && count === 0 ? emptyColumns(path, empty) : []).catch((error: unknown) => {
        throw unshown(shell, error);
      }),
  };
}

/** Prints one value; `shown` is its line or view. Returns 0. */
export async function showOne(shell: Shell, value: object, shown: string | View): Promise<number> {
  const results = openResults(shell, false);
  await results.item(value, asView(shown));
  await results.end();
  return 0;
}

export const showFields = <T extends object>(shell: Shell, value: T): Promise<number> =>
  showOne(shell, value, fieldsView(value as Parameters<typeof fieldsView>[0]));

/** Throws `CommandError` (usage) for `--next`, since the list has no pages. */
function refuseCursor({ flags }: Shell): void {
  if (flags.next !== undefined) throw noPages();
}

/** Prints a complete list and returns the exit code. */
export async function showList<T>(
  shell: Shell,
  items: readonly T[],
  shown: (item: T) => View,
): Promise<number> {
  refuseCursor(shell);
  const results = openResults(shell, true);
  for (const item of items) await results.item(item, shown(item));
  await results.end(() => emptyViewOf((item) => shown(item as T)));
  return listExit(shell, items.length);
}

/** The exit code of a list: 3 if it is empty and `--exit-status` is given. */
export const listExit = (shell: Shell, items: number): number =>
  items === 0 && shell.flags.exitStatus ? 3 : 0;

/** A closed pipe ends the run also while there is nothing to write, as in `tail | head -1`. */
export function endWithReader({ out, signal }: Shell): void {
  const { fd } = out as { fd?: unknown };
  if (typeof fd !== "number") return;
  const stop = whenReaderGone(fd, () => {
    out.emit("error", Object.assign(new Error("the reader has gone"), { code: "EPIPE" }));
  });
  signal.addEventListener("abort", stop, { once: true });
}

/**
 * Endless output cannot be one JSON document: `--json` is refused, with `--jq` it applies to each item, and the setting
 * `json` means NDJSON.
 */
export function endlessOutput(shell: Shell): Shell {
  const { flags, settings } = shell;
  if (flags.json !== undefined && flags.jq === undefined)
    throw new ExitError(2, "--json cannot be used: this output never ends.", "Use --ndjson.");
  endWithReader(shell);
  const { json: _, ...rest } = flags;
  const output = settings.output === "json" ? "ndjson" : settings.output;
  return { ...shell, flags: rest, settings: { ...settings, output } };
}
