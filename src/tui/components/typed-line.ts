/** The visible part of a one-line input, and the column of its cursor. */
import { clean } from "../../text/sanitize.ts";
import { cellWidth, truncate, truncateStart } from "../../text/width.ts";

/** Keeps trailing blanks: the one just typed moves the cursor. */
const onOneLine = (text: string): string => clean(text).replaceAll("\n", " ");

interface TypedLine {
  text: string;
  /** Cells before the cursor; at least one cell is left for the cursor itself. */
  before: number;
}

export function typedLine(text: string, cursor: number, cells: number): TypedLine {
  const before = truncateStart(onOneLine(text.slice(0, cursor)), cells - 1);
  return {
    text: truncate(before + onOneLine(text.slice(cursor, cursor + cells * 32)), cells, ""),
    before: cellWidth(before),
  };
}
