/** The writers for rows: table, TSV and CSV. */
import { valueAt, type View } from "../../commands/base/define-command.ts";
import { quoteTwice } from "../../text/formula.ts";
import { clean, cleanLine } from "../../text/sanitize.ts";
import { truncate } from "../../text/width.ts";
import { MESSAGE_COLUMNS, dayLine, messageLines, messageCells } from "./messages.ts";
import { fieldsText, tableText, tsvRow, type Cell } from "./table.ts";
import { MAX_PENDING_ROWS, cleanRow, cleaner, writeOut, type WriterContext, type Writer } from "./writer.ts";

/** Text without control characters; the lines of a text view keep their spaces. */
const linesText = (view: View & { kind: "line" | "text" }): string =>
  view.kind === "line"
    ? `${cleanLine(view.text)}\n`
    : view.lines.map((line) => `${clean(line).replaceAll("\n", " ")}\n`).join("");

interface Rows {
  columns: string[];
  rows: Cell[][];
}

export function tableWriter({ shell, list, live }: WriterContext): Writer {
  const { settings, tty } = shell;
  const timeOptions = { utc: settings.utc };
  const rule = settings.accessible ? "--" : "──";
  let pendingRows: Rows = { columns: [], rows: [] };
  let hasHeader = false;
  let day = "";
  const minWidths: number[] = [];
  const redraws = live && tty.out && !settings.accessible && shell.env.TERM !== "dumb";
  let drawnLines = 0;
  const drawBoard = async (board: readonly string[]): Promise<void> => {
    const up = drawnLines > 0 ? `\x1b[${drawnLines}A\x1b[0J` : "";
    drawnLines = board.length;
    await writeOut(
      shell,
      `${up}${board.map((line) => `${truncate(cleanLine(line), tty.columns)}\n`).join("")}`,
    );
  };
  const flush = async (): Promise<void> => {
    if (pendingRows.rows.length === 0) return;
    // Live rows share one header and keep the column widths of the rows before them.
    const width = tty.out ? tty.columns : Infinity;
    const text = tableText(pendingRows.columns, pendingRows.rows, {
      width,
      ...timeOptions,
      ...(live ? { minWidths } : {}),
    });
    await writeOut(shell, live && hasHeader ? text.slice(text.indexOf("\n") + 1) : text);
    hasHeader = true;
    pendingRows = { ...pendingRows, rows: [] };
  };
  const messages = async (view: View & { kind: "messages" }): Promise<void> => {
    for (const message of view.messages) {
      const today = dayLine(message, settings.utc);
      if (list && today !== day) await writeOut(shell, `${rule} ${today}\n`);
      day = today;
      await writeOut(shell, messageLines(message, { ...timeOptions, color: shell.color.out }));
    }
  };
  return {
    async item(_, view) {
      switch (view?.kind) {
        case "table":
          if (redraws && view.board) return drawBoard(view.board);
          pendingRows = { columns: view.columns, rows: [...pendingRows.rows, ...view.rows] };
          if (live || pendingRows.rows.length >= MAX_PENDING_ROWS) await flush();
          return;
        case "messages":
          return messages(view);
        case "fields":
          return writeOut(shell, fieldsText(view.fields, { tty: true, ...timeOptions }));
        case "line":
        case "text":
          return writeOut(shell, linesText(view));
        default:
          // Only for people: a pipe gets nothing.
          if (tty.out && !shell.flags.quiet) shell.err.write(settings.accessible ? "done\n" : "✓ done\n");
      }
    },
    async end(count) {
      await flush();
      // A change says itself what it had nothing to do for.
      const isFound = count > 0 || shell.changes === true;
      if (list && !isFound && tty.out && !shell.flags.quiet) shell.err.write("nothing found\n");
    },
  };
}

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
    item: (_, view) => writeOut(shell, text(view)),
    async end() {},
  };
}

/** The rows of a view with column names; a value without a view gives its simple fields. */
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
      return fieldRows(simpleFields(value) ?? view.fields);
    default:
      return fieldRows(simpleFields(value) ?? []);
  }
}

/** The fields of an object that a cell can hold, by their names; undefined if there are none. */
function simpleFields(value: unknown): [string, Cell][] | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const fields = Object.entries(value).filter(([, cell]) => typeof cell !== "object") as [string, Cell][];
  return fields.length > 0 ? fields : undefined;
}

/** The names of the columns that a view gives. */
export function csvColumns(view: View | undefined): readonly string[] {
  if (view?.kind === "messages") return MESSAGE_COLUMNS;
  return view?.kind === "table" ? dataRows({}, { ...view, rows: [] }).columns : [];
}

/** Columns named after the fields and filled with the field values, so that another command can read them. */
function dataRows(value: unknown, { columns, rows, fields = {} }: View & { kind: "table" }): Rows {
  const dataCell = (column: string, cell: Cell): Cell => {
    const field = fields[column];
    return field === undefined ? cell : ((valueAt(value, field) ?? "") as Cell);
  };
  return {
    columns: columns.map((column) => fields[column] ?? column.replaceAll(" ", "_")),
    rows: rows.map((row) => row.map((cell, i) => dataCell(columns[i]!, cell))),
  };
}

const fieldRows = (fields: readonly (readonly [string, Cell])[]): Rows => ({
  columns: fields.map(([name]) => name),
  rows: [fields.map(([, cell]) => cell)],
});

export function csvWriter({ shell, live }: WriterContext): Writer {
  const clean = cleaner(shell);
  let columns: string[] = [];
  let rows: Cell[][] = [];
  let hasHeader = false;
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return;
    const { stringify } = await import("csv-stringify/sync");
    const header = !hasHeader;
    hasHeader = true;
    const cells = rows.map((row) => cleanRow(row, clean));
    rows = [];
    // Formulas are escaped: a spreadsheet must not run what somebody wrote in a chat.
    const cast = { boolean: String, string: quoteTwice };
    // What is read again loses the blanks around a cell that stands in no quotes.
    const quoted = { quoted_match: /^\s|\s$/ };
    const options = { header, columns: columns.map(clean), escape_formulas: true, cast, ...quoted };
    await writeOut(shell, stringify(cells, options));
  };
  return {
    async item(value, view) {
      const next = csvRows(value, view);
      ({ columns } = next);
      rows.push(...next.rows);
      if (live || rows.length >= MAX_PENDING_ROWS) await flush();
    },
    async end(count, empty = []) {
      await flush();
      if (count > 0 || empty.length === 0) return;
      const { stringify } = await import("csv-stringify/sync");
      await writeOut(shell, stringify([[...empty]]));
    },
  };
}
