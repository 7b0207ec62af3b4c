/** Output in rows: a table for people, TSV for pipes, CSV for spreadsheets. */
import { dig, type View } from "../../commands/base/define-command.ts";
import { clean, cleanLine } from "../../text/sanitize.ts";
import { truncate } from "../../text/width.ts";
import { MESSAGE_COLUMNS, dayLine, messageLines, messageCells } from "./messages.ts";
import { fieldsText, tableText, tsvRow, type Cell } from "./table.ts";
import { PIECE, cleanRow, cleaner, putOut, type WriterContext, type Writer } from "./writer.ts";

/** Clean of what a terminal would obey; in a text of lines their blanks stay as they are. */
const linesText = (view: View & { kind: "line" | "text" }): string =>
  view.kind === "line"
    ? `${cleanLine(view.text)}\n`
    : view.lines.map((line) => `${clean(line).replaceAll("\n", " ")}\n`).join("");

/** Rows with the names of their columns. */
interface Rows {
  columns: string[];
  rows: Cell[][];
}

export function tableWriter({ shell, list, live }: WriterContext): Writer {
  const { settings, tty } = shell;
  const told = { utc: settings.utc };
  const rule = settings.accessible ? "--" : "──";
  let held: Rows = { columns: [], rows: [] };
  let headed = false;
  let day = "";
  const least: number[] = [];
  const draws = live && tty.out && !settings.accessible && shell.env.TERM !== "dumb";
  let drawn = 0;
  /** Over the one before it. */
  const drawBoard = async (board: readonly string[]): Promise<void> => {
    const up = drawn > 0 ? `\x1b[${drawn}A\x1b[0J` : "";
    drawn = board.length;
    await putOut(
      shell,
      `${up}${board.map((line) => `${truncate(cleanLine(line), tty.columns)}\n`).join("")}`,
    );
  };
  const flush = async (): Promise<void> => {
    if (held.rows.length === 0) return;
    // Rows that come one by one keep the places that the widest before them had, under one header.
    const width = tty.out ? tty.columns : Infinity;
    const text = tableText(held.columns, held.rows, { width, ...told, ...(live ? { least } : {}) });
    await putOut(shell, live && headed ? text.slice(text.indexOf("\n") + 1) : text);
    headed = true;
    held = { ...held, rows: [] };
  };
  const messages = async (view: View & { kind: "messages" }): Promise<void> => {
    for (const message of view.messages) {
      const today = dayLine(message, settings.utc);
      if (list && today !== day) await putOut(shell, `${rule} ${today}\n`);
      day = today;
      await putOut(shell, messageLines(message, { ...told, color: shell.color.out }));
    }
  };
  return {
    async item(_, view) {
      switch (view?.kind) {
        case "table":
          if (draws && view.board) return drawBoard(view.board);
          held = { columns: view.columns, rows: [...held.rows, ...view.rows] };
          if (live || held.rows.length >= PIECE) await flush();
          return;
        case "messages":
          return messages(view);
        case "fields":
          return putOut(shell, fieldsText(view.fields, { tty: true, ...told }));
        case "line":
        case "text":
          return putOut(shell, linesText(view));
        default:
          // A quiet tick: nothing in a pipe.
          if (tty.out && !shell.flags.quiet) shell.err.write(settings.accessible ? "done\n" : "✓ done\n");
      }
    },
    async end(count) {
      await flush();
      if (list && count === 0 && tty.out && !shell.flags.quiet) shell.err.write("nothing found\n");
    },
  };
}

/** Tabs between cells, no header. */
export function tsvWriter({ shell }: WriterContext): Writer {
  const text = (view: View | undefined): string => {
    switch (view?.kind) {
      case "table":
        return view.rows.map(tsvRow).join("");
      case "messages":
        return view.messages.map((message) => tsvRow(messageCells(message))).join("");
      case "fields":
        return fieldsText(view.fields, { tty: false, utc: shell.settings.utc });
      case "line":
      case "text":
        return linesText(view);
      default:
        return "";
    }
  };
  return {
    item: (_, view) => putOut(shell, text(view)),
    async end() {},
  };
}

/** With a header; a value that no view shows gives its plain fields. */
function csvRows(value: unknown, view: View | undefined): Rows {
  switch (view?.kind) {
    case "table":
      return dataRows(value, view);
    case "messages":
      return { columns: MESSAGE_COLUMNS, rows: view.messages.map(messageCells) };
    case "line":
      return { columns: ["result"], rows: [[view.text]] };
    case "text":
      return { columns: ["result"], rows: view.lines.map((line) => [line]) };
    case "fields":
      return named(view.fields);
    default:
      if (typeof value !== "object" || value === null) return { columns: [], rows: [] };
      return named(Object.entries(value).filter(([, cell]) => typeof cell !== "object"));
  }
}

/** Columns under the names of their fields and with what these hold, so that another command can read them. */
function dataRows(value: unknown, { columns, rows, fields = {} }: View & { kind: "table" }): Rows {
  const datum = (column: string, cell: Cell): Cell => {
    const field = fields[column];
    return field === undefined ? cell : ((dig(value, field) ?? "") as Cell);
  };
  return {
    columns: columns.map((column) => fields[column] ?? column.replaceAll(" ", "_")),
    rows: rows.map((row) => row.map((cell, i) => datum(columns[i]!, cell))),
  };
}

const named = (fields: readonly (readonly [string, Cell])[]): Rows => ({
  columns: fields.map(([name]) => name),
  rows: [fields.map(([, cell]) => cell)],
});

export function csvWriter({ shell, live }: WriterContext): Writer {
  const clean = cleaner(shell);
  let columns: string[] = [];
  let rows: Cell[][] = [];
  let headed = false;
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return;
    const { stringify } = await import("csv-stringify/sync");
    const header = !headed;
    headed = true;
    const cells = rows.map((row) => cleanRow(row, clean));
    rows = [];
    // Formulas are escaped: a spreadsheet must not run what somebody wrote in a chat.
    const cast = { boolean: String };
    const how = { header, columns: columns.map(clean), escape_formulas: true, cast };
    await putOut(shell, stringify(cells, how));
  };
  return {
    async item(value, view) {
      const more = csvRows(value, view);
      ({ columns } = more);
      rows.push(...more.rows);
      if (live || rows.length >= PIECE) await flush();
    },
    end: flush,
  };
}
