/** What is in sight of a line while it is typed, and where its cursor stands. */
import { clean } from "../../text/sanitize.ts";
import { cellWidth, truncate, truncateStart } from "../../text/width.ts";

/** Every blank counts: the one just typed moves the cursor. */
const blanksKept = (text: string): string => clean(text).replaceAll("\n", " ");

interface TypedLine {
  text: string;
  /** Cells of it before the cursor, which has a cell to stand in. */
  before: number;
}

export function typedLine(text: string, cursor: number, cells: number): TypedLine {
  const before = truncateStart(blanksKept(text.slice(0, cursor)), cells - 1);
  return {
    text: truncate(before + blanksKept(text.slice(cursor, cursor + cells * 32)), cells, ""),
    before: cellWidth(before),
  };
}
