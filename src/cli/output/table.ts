/** Formats tables (aligned columns with a header) and TSV rows. */
import { cleanLine } from "../../text/sanitize.ts";
import { cellWidth, padEnd, truncate } from "../../text/width.ts";
import { isDate, localTime } from "./time.ts";

export type Cell = string | number | boolean | undefined | null;

/** TSV cells contain no tabs, line breaks or control characters. */
export function tsvRow(row: readonly Cell[]): string {
  return `${row.map((cell) => (cell === undefined || cell === null ? "" : cleanLine(String(cell)))).join("\t")}\n`;
}

/** Aligned text with a header; the widest columns shrink to fit the terminal. `minWidths` is updated in place. */
export function tableText(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  options: { width: number; utc: boolean; minWidths?: number[] },
): string {
  const shown = rows.map((row) =>
    row.map((cell) => {
      if (cell === undefined || cell === null || cell === false) return "";
      if (cell === true) return "yes";
      const text = String(cell);
      return isDate(text) ? localTime(text, options.utc) : cleanLine(text);
    }),
  );
  const all = [columns.map((name) => name.toUpperCase()), ...shown];
  const widths = columns.map((_, i) =>
    Math.max(options.minWidths?.[i] ?? 0, ...all.map((row) => cellWidth(row[i] ?? ""))),
  );
  options.minWidths?.splice(0, Infinity, ...widths);
  const gaps = 2 * (columns.length - 1);
  for (let excess = widths.reduce((a, b) => a + b, gaps) - options.width; excess > 0;) {
    const widest = widths.indexOf(Math.max(...widths));
    // At least half of the next one: a long text makes room for whole ids, but not for a text as long as itself.
    const next = Math.max(0, ...widths.filter((_, i) => i !== widest));
    const cut = Math.min(excess, widths[widest]! - Math.max(8, Math.ceil(next / 2)));
    if (cut <= 0) break;
    widths[widest]! -= cut;
    excess -= cut;
  }
  return all
    .map((row) =>
      row
        .map((cell, i) => {
          const fit = truncate(cell, widths[i]!);
          return i === row.length - 1 ? fit : padEnd(fit, widths[i]!);
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
    .concat("\n");
}

/** `name  value` lines, or TSV in a pipe. Empty values are left out on a terminal. */
export function fieldsText(
  fields: readonly (readonly [string, Cell])[],
  options: { tty: boolean; utc: boolean },
): string {
  if (!options.tty) return fields.map(tsvRow).join("");
  const width = Math.max(...fields.map(([name]) => cellWidth(name)));
  return fields
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => {
      const text = String(value);
      return `${padEnd(name, width)}  ${isDate(text) ? localTime(text, options.utc) : cleanLine(text)}\n`;
    })
    .join("");
}
