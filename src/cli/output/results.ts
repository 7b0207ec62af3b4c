/** Prints what a command gives back, item by item, in the form that was asked for: table, TSV, JSON, NDJSON, CSV, jq or template. */
import { asView, fieldsView, type View } from "../../commands/base/define-command.ts";
import { noPages } from "../../commands/base/lists/cursor.ts";
import { ExitError } from "../base/exit.ts";
import type { Shell } from "../base/shell.ts";
import { jqWriter, jsonWriter, lineWriter, ndjsonLine, templateLine } from "./data.ts";
import { checkedWriter, namedFields } from "./fields.ts";
import { plainLine } from "./controls.ts";
import { strayBraces } from "./template.ts";
import { csvWriter, tableWriter, tsvWriter } from "./tables.ts";
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

/** The form that the flags, the settings and the terminal ask for. Throws `ExitError` 2 for two of them, and for a template that cannot be filled. */
export function outputForm(shell: Shell): Form {
  const { flags, settings, tty } = shell;
  const asked = [
    flags.json !== undefined && flags.jq === undefined ? "json" : "",
    flags.ndjson !== undefined && flags.jq === undefined ? "ndjson" : "",
    flags.csv ? "csv" : "",
    flags.table ? "table" : "",
    flags.jq === undefined ? "" : "jq",
    flags.template === undefined ? "" : "template",
  ].filter(Boolean);
  if (asked.length > 1)
    throw new ExitError(2, `${asked.map((form) => `--${form}`).join(" and ")} cannot be combined.`);
  const stray = strayBraces(flags.template ?? "");
  if (stray !== undefined)
    throw new ExitError(
      2,
      `'${plainLine(stray)}' in --template is not a field.`,
      "Write fields as {{name}}.",
    );
  if (asked[0]) return asked[0] as Form;
  if (settings.output !== "auto") return settings.output;
  return tty.out ? "table" : "tsv";
}

interface Results {
  item(value: unknown, view: View | undefined): Promise<void>;
  end(): Promise<void>;
}

/**
 * `list`: items of an array even when there is one; otherwise a single value. `live`: rows are printed as they come.
 * `path`: the command whose results they are.
 */
export function openResults(shell: Shell, list: boolean, live = false, path = shell.path ?? ""): Results {
  const plain: Writer = WRITERS[outputForm(shell)]({ shell, list, live });
  const names = live ? [] : namedFields(shell);
  const writer = names.length === 0 ? plain : checkedWriter(shell, path, names, plain);
  let count = 0;
  return {
    item(value, view) {
      count++;
      shell.counts.items++;
      return writer.item(value, view);
    },
    end: () => writer.end(count),
  };
}

/** One value; `shown` is a line, or how it is shown. Ends with 0. */
export async function showOne(shell: Shell, value: object, shown: string | View): Promise<number> {
  const results = openResults(shell, false);
  await results.item(value, asView(shown));
  await results.end();
  return 0;
}

/** One value, shown as its fields. */
export const showFields = <T extends object>(shell: Shell, value: T): Promise<number> =>
  showOne(shell, value, fieldsView(value as Parameters<typeof fieldsView>[0]));

/** Throws `CommandError` (usage) for a place in a list that comes whole. */
function needWhole({ flags }: Shell): void {
  if (flags.next !== undefined) throw noPages();
}

/** A list that is there already; its exit code. */
export async function showList<T>(
  shell: Shell,
  items: readonly T[],
  shown: (item: T) => View,
): Promise<number> {
  needWhole(shell);
  const results = openResults(shell, true);
  for (const item of items) await results.item(item, shown(item));
  await results.end();
  return listExit(shell, items.length);
}

/** The exit code of a list that may be empty (`--exit-status`). */
export const listExit = (shell: Shell, items: number): number =>
  items === 0 && shell.flags.exitStatus ? 3 : 0;

/** One document of what never ends would never come. */
export const neverEnds = (): ExitError =>
  new ExitError(2, "--json cannot be used: this output never ends.", "Use --ndjson.");
