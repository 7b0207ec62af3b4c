/** Prints what a command gives back, item by item, in the form that was asked for: table, TSV, JSON, NDJSON, CSV, jq or template. */
import type { View } from "../../commands/base/define-command.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { ExitError } from "../base/exit.ts";
import type { Shell } from "../base/shell.ts";
import { write } from "../base/stdio.ts";
import { plainCell } from "./controls.ts";
import { jsonText, pick } from "./json.ts";
import { MESSAGE_COLUMNS, dayLine, messageLines, messageRow } from "./messages.ts";
import { fieldsText, tableText, tsvRow } from "./table.ts";
import type { Cell } from "./table.ts";
import { fillTemplate } from "./template.ts";

type Form = "table" | "tsv" | "json" | "ndjson" | "csv" | "jq" | "template";

/** Rows of a table that are measured together; longer lists are drawn in such pieces. */
const PIECE = 500;

export function formOf(shell: Shell): Form {
  const { flags, settings, tty } = shell;
  const asked = [
    flags.json !== undefined && flags.jq === undefined ? "json" : "",
    flags.ndjson !== undefined && flags.jq === undefined ? "ndjson" : "",
    flags.csv ? "csv" : "",
    flags.table ? "table" : "",
    flags.jq === undefined ? "" : "jq",
    flags.template === undefined ? "" : "template",
  ].filter(Boolean);
  if (asked.length > 1) throw new ExitError(2, `Choose one form of output, not ${asked.join(" and ")}.`);
  if (asked[0]) return asked[0] as Form;
  if (settings.output !== "auto") return settings.output;
  return tty.out ? "table" : "tsv";
}

interface Results {
  item(value: unknown, view: View | undefined): Promise<void>;
  end(): Promise<void>;
}

/** `list`: items of an array even when there is one; otherwise a single value. `live`: rows are printed as they come. */
export function openResults(shell: Shell, list: boolean, live = false): Results {
  const form = formOf(shell);
  const { flags, tty, settings } = shell;
  /** Into a pipe nothing that steers a terminal, unless it was asked for. */
  const raw = flags.raw === true && !tty.out;
  const clean = tty.out ? cleanLine : raw ? asItIs : plainCell;
  const put = (text: string): Promise<void> => write(shell.out, text);
  const fields = flags.json || flags.ndjson || undefined;
  const whole = form === "jq" && flags.json !== undefined && list;
  const kept: unknown[] = [];
  let count = 0;
  let rows: Cell[][] = [];
  let columns: string[] = [];
  let day = "";
  let headed = false;
  const least: number[] = [];

  const flush = async (): Promise<void> => {
    if (rows.length === 0) return;
    if (form === "csv") await put(await csvText(columns.map(clean), rows.map(cellsBy(clean)), !headed));
    else if (form === "tsv") await put(rows.map(tsvRow).join(""));
    else {
      // Rows that come one by one keep the places that the widest before them had, under one header.
      const text = tableText(columns, rows, {
        width: tty.out ? tty.columns : Infinity,
        utc: settings.utc,
        ...(live ? { least } : {}),
      });
      await put(live && headed ? text.slice(text.indexOf("\n") + 1) : text);
    }
    headed = true;
    rows = [];
  };

  const view = async (value: unknown, shown: View | undefined): Promise<void> => {
    switch (shown?.kind) {
      case "table":
        columns = shown.columns;
        rows.push(...shown.rows);
        break;
      case "messages":
        if (form === "table") {
          for (const message of shown.messages) {
            const today = dayLine(message, settings.utc);
            if (list && today !== day)
              await put(`── ${today}\n`.replace("──", settings.accessible ? "--" : "──"));
            day = today;
            await put(messageLines(message, { utc: settings.utc, color: shell.color.out }));
          }
        } else {
          columns = MESSAGE_COLUMNS;
          rows.push(...shown.messages.map(messageRow));
        }
        break;
      case "fields":
        if (form === "csv") {
          columns = shown.fields.map(([name]) => name);
          rows.push(shown.fields.map(([, cell]) => cell));
        } else await put(fieldsText(shown.fields, { tty: form === "table", utc: settings.utc }));
        break;
      case "line":
        if (form === "csv") {
          columns = ["result"];
          rows.push([shown.text]);
        } else await put(`${cleanLine(shown.text)}\n`);
        break;
      default:
        // A quiet tick: nothing in a pipe.
        if (form === "table" && tty.out && !flags.quiet)
          shell.err.write(settings.accessible ? "done\n" : "✓ done\n");
        else if (form === "csv" && typeof value === "object" && value !== null) {
          const plain = Object.entries(value).filter(([, cell]) => typeof cell !== "object");
          columns = plain.map(([name]) => name);
          rows.push(plain.map(([, cell]) => cell as Cell));
        }
    }
    if (rows.length >= PIECE || form === "tsv" || live) await flush();
  };

  return {
    async item(value, shown) {
      count++;
      shell.counts.items++;
      switch (form) {
        case "json": {
          const text = jsonText(pick(value, fields), tty.out, raw);
          if (list) await put(`${count === 1 ? "[" : ","}${tty.out ? "\n" : ""}${text}`);
          else await put(`${text}\n`);
          break;
        }
        case "ndjson":
          await put(`${jsonText(pick(value, fields), tty.out, raw).replace(/\n\s*/g, tty.out ? " " : "")}\n`);
          break;
        case "jq":
          if (whole) kept.push(pick(value, fields));
          else await put(await jqText(shell, pick(value, fields)));
          break;
        case "template": {
          const text = fillTemplate(flags.template!, value, raw ? asItIs : undefined);
          await put(
            tty.out
              ? `${text
                  .split("\n")
                  .map((line) => line.split("\t").map(cleanLine).join("\t"))
                  .join("\n")}\n`
              : `${text}\n`,
          );
          break;
        }
        default:
          await view(value, shown);
      }
    },
    async end() {
      if (form === "json" && list) await put(count === 0 ? "[]\n" : `${tty.out ? "\n" : ""}]\n`);
      if (whole) await put(await jqText(shell, kept));
      await flush();
      if (list && count === 0 && form === "table" && tty.out && !flags.quiet)
        shell.err.write("nothing found\n");
    },
  };
}

/** What a verb of the shell's own did, in the form that was asked for; ends with 0. */
export async function showOne(shell: Shell, value: object, text: string): Promise<number> {
  const results = openResults(shell, false);
  await results.item(value, { kind: "line", text });
  await results.end();
  return 0;
}

/** The exit code of a list that may be empty (`--exit-status`). */
export const listExit = (shell: Shell, items: number): number =>
  items === 0 && shell.flags.exitStatus ? 3 : 0;

async function jqText(shell: Shell, value: unknown): Promise<string> {
  const { runJq } = await import("./jq.ts");
  const text = await runJq(shell.flags.jq!, value);
  return shell.tty.out ? text.split("\n").map(cleanLine).join("\n") : text;
}

const asItIs = (text: string): string => text;
const cellsBy =
  (clean: (text: string) => string) =>
  (row: Cell[]): Cell[] =>
    row.map((cell) => (typeof cell === "string" ? clean(cell) : cell));

/** Formulas are escaped: a spreadsheet must not run what somebody wrote in a chat. */
async function csvText(columns: string[], rows: Cell[][], withHeader: boolean): Promise<string> {
  const { stringify } = await import("csv-stringify/sync");
  return stringify(rows, { header: withHeader, columns, escape_formulas: true });
}
