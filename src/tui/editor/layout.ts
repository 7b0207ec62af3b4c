/** Wraps text into rows of cells and finds the cursor's cell; unchanged lines are not laid out again. */
import { graphemesOf, toBoundary } from "./boundaries.ts";

/** The width of one grapheme in cells. */
type CellWidth = (grapheme: string) => number;

interface VisualRow {
  /** UTF-16 range of the text, including blanks that hang over the edge. */
  start: number;
  end: number;
  /** The text to draw, with tabs expanded, never wider than the row. */
  text: string;
}

export interface TextLayout {
  rows: VisualRow[];
  cursorRow: number;
  /** Cells from the left; always less than the width. */
  cursorCol: number;
}

/** Cells from one tab stop to the next. */
const TAB_CELLS = 4;

interface LineLayout {
  /** Offsets are relative to the line. */
  rows: VisualRow[];
  /** Cells used in the last row. */
  used: number;
}

/** Graphemes with their widths; a tab has −1, because its width depends on its column (`cellsFrom`). */
function* withWidths(line: string, cellWidth: CellWidth): Generator<{ text: string; cells: number }> {
  for (const text of graphemesOf(line)) yield { text, cells: text === "\t" ? -1 : cellWidth(text) };
}

const cellsFrom = (cells: number, column: number): number =>
  cells < 0 ? TAB_CELLS - (column % TAB_CELLS) : cells;

function layOutLine(line: string, width: number, cellWidth: CellWidth): LineLayout {
  if (/^[\x20-\x7e]*$/.test(line)) return layOutAscii(line, width);
  const rows: VisualRow[] = [];
  let start = 0;
  let at = 0;
  let column = 0;
  let shown = "";
  /** The last position where the row may be wrapped, with the text shown up to there. */
  let wrap: { at: number; shown: string; column: number } | undefined;
  for (const grapheme of withWidths(line, cellWidth)) {
    const blank = /^\s/.test(grapheme.text);
    let cells = cellsFrom(grapheme.cells, column);
    if (!blank && column + cells > width) {
      if (wrap && wrap.at > start) {
        rows.push({ start, end: wrap.at, text: wrap.shown });
        shown = shown.slice(wrap.shown.length);
        column -= wrap.column;
        start = wrap.at;
      }
      if (at > start && column + cells > width) {
        rows.push({ start, end: at, text: shown });
        shown = "";
        column = 0;
        start = at;
      }
      wrap = undefined;
      cells = cellsFrom(grapheme.cells, column);
    }
    // A glyph wider than the whole row still takes up the row; a blank over the edge is not drawn.
    if (column + cells <= width) {
      shown += grapheme.text === "\t" ? " ".repeat(cells) : grapheme.text;
      column += cells;
    } else column = width;
    at += grapheme.text.length;
    if (blank) wrap = { at, shown, column };
  }
  rows.push({ start, end: line.length, text: shown });
  return { rows, used: column };
}

/** The fast path for printable ASCII, where each character is one grapheme and one cell. */
function layOutAscii(line: string, width: number): LineLayout {
  const rows: VisualRow[] = [];
  let start = 0;
  while (line.length - start > width) {
    let end = start + width;
    if (line[end] === " ") while (line[end] === " ") end++;
    else {
      const blank = line.lastIndexOf(" ", end - 1);
      if (blank >= start) end = blank + 1;
    }
    if (end >= line.length) break;
    rows.push({ start, end, text: line.slice(start, Math.min(end, start + width)) });
    start = end;
  }
  rows.push({ start, end: line.length, text: line.slice(start, start + width) });
  return { rows, used: Math.min(width, line.length - start) };
}

/** Lines longer than this (UTF-16 units) are laid out again only from the first changed character on. */
const LONG_LINE = 2048;

/** Lays out `line`, reusing the rows of `before` within the common prefix. */
function layOutLongLine(
  line: string,
  previous: { line: string; layout: LineLayout },
  width: number,
  cellWidth: CellWidth,
): LineLayout {
  const limit = Math.min(line.length, previous.line.length);
  let commonLength = 0;
  while (commonLength < limit && line.charCodeAt(commonLength) === previous.line.charCodeAt(commonLength))
    commonLength++;
  // A row depends on no text beyond the row after it.
  const { rows } = previous.layout;
  let reusedRows = rows.length - 1;
  while (reusedRows > 0 && rows[reusedRows]!.end >= commonLength) reusedRows--;
  if (reusedRows === 0) return layOutLine(line, width, cellWidth);
  const start = rows[reusedRows]!.start;
  const tail = layOutLine(line.slice(start), width, cellWidth);
  const tailRows = tail.rows.map((row) => ({
    start: row.start + start,
    end: row.end + start,
    text: row.text,
  }));
  return { rows: [...rows.slice(0, reusedRows), ...tailRows], used: tail.used };
}

/** Cells before `offset` in a row. */
function columnIn(text: string, row: VisualRow, offset: number, cellWidth: CellWidth): number {
  const part = text.slice(row.start, offset);
  if (/^[\x20-\x7e]*$/.test(part)) return part.length;
  let column = 0;
  for (const { cells } of withWidths(part, cellWidth)) column += cellsFrom(cells, column);
  return column;
}

/** Caches the lines of the last call, so that one key stroke in a long text lays out only one line. */
export class Layouter {
  readonly #cellWidth: CellWidth;
  #lines = new Map<string, LineLayout>();
  #width = 0;
  /** The long line of the last call. */
  #longLine: { line: string; layout: LineLayout } | undefined;

  constructor(cellWidth: CellWidth) {
    this.#cellWidth = cellWidth;
  }

  /** Rows of `text` for `width` cells (2 at least) and the cell of `cursor`. */
  layout(text: string, cursor: number, width: number): TextLayout {
    const columns = Math.max(2, width);
    if (columns !== this.#width) this.#longLine = undefined;
    const cached = columns === this.#width ? this.#lines : new Map<string, LineLayout>();
    const lines = new Map<string, LineLayout>();
    const rows: VisualRow[] = [];
    let cursorRow = 0;
    let cursorCol = 0;
    let start = 0;
    for (const line of text.split("\n")) {
      const layout = lines.get(line) ?? cached.get(line) ?? this.#layOut(line, columns);
      lines.set(line, layout);
      const first = rows.length;
      for (const row of layout.rows)
        rows.push({ start: start + row.start, end: start + row.end, text: row.text });
      const end = start + line.length;
      if (cursor >= start && cursor <= end) {
        // A cursor after a full row is shown at the start of the next one.
        if (cursor === end && layout.used >= columns) rows.push({ start: end, end, text: "" });
        let r = rows.length - 1;
        while (r > first && rows[r]!.start > cursor) r--;
        cursorRow = r;
        cursorCol = Math.min(columns - 1, columnIn(text, rows[r]!, cursor, this.#cellWidth));
      }
      start = end + 1;
    }
    this.#lines = lines;
    this.#width = columns;
    return { rows, cursorRow, cursorCol };
  }

  #layOut(line: string, columns: number): LineLayout {
    if (line.length < LONG_LINE) return layOutLine(line, columns, this.#cellWidth);
    const layout = this.#longLine
      ? layOutLongLine(line, this.#longLine, columns, this.#cellWidth)
      : layOutLine(line, columns, this.#cellWidth);
    this.#longLine = { line, layout };
    return layout;
  }

  /** The offset nearest to the cell `column` of a row, never past the text the row shows. */
  offsetAt(text: string, layout: TextLayout, rowIndex: number, column: number): number {
    const row = layout.rows[Math.max(0, Math.min(layout.rows.length - 1, rowIndex))]!;
    let cells = 0;
    let at = row.start;
    for (const grapheme of withWidths(text.slice(row.start, row.end), this.#cellWidth)) {
      const next = cells + cellsFrom(grapheme.cells, cells);
      if (next > column) break;
      cells = next;
      at += grapheme.text.length;
    }
    // The end of a wrapped row is the start of the next: stay before its last grapheme.
    const isWrapped = layout.rows[rowIndex + 1]?.start === row.end;
    return isWrapped && at >= row.end && row.end > row.start ? toBoundary(text, row.end - 1) : at;
  }
}
