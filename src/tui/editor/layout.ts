/** Lays out text in rows of cells with the cursor; only changed lines are laid out again. */
import { graphemesOf, toBoundary } from "./boundaries.ts";

/** Cells of one grapheme; `src/text` measures as the terminal does. */
type CellWidth = (grapheme: string) => number;

interface VisualRow {
  /** UTF-16 range of the text; blanks that hang over the edge are part of it. */
  start: number;
  end: number;
  /** What to draw: tabs are blanks, nothing is wider than the row. */
  text: string;
}

export interface TextLayout {
  rows: VisualRow[];
  cursorRow: number;
  /** Cells from the left; always less than the width. */
  cursorCol: number;
}

/** Cells from one tab stop to the next. */
const TAB = 4;

interface LaidLine {
  /** Relative to the line. */
  rows: VisualRow[];
  /** Cells used in the last row. */
  used: number;
}

/** Graphemes with their widths; a tab is as wide as it is from `column` to its stop. */
function* measured(line: string, cellWidth: CellWidth): Generator<{ text: string; cells: number }> {
  for (const text of graphemesOf(line)) yield { text, cells: text === "\t" ? -1 : cellWidth(text) };
}

const cellsAt = (cells: number, column: number): number => (cells < 0 ? TAB - (column % TAB) : cells);

function layLine(line: string, width: number, cellWidth: CellWidth): LaidLine {
  if (/^[\x20-\x7e]*$/.test(line)) return layPlain(line, width);
  const rows: VisualRow[] = [];
  let start = 0;
  let at = 0;
  let column = 0;
  let shown = "";
  /** The last place where the row may end, with what is shown up to there. */
  let wrap: { at: number; shown: string; column: number } | undefined;
  for (const grapheme of measured(line, cellWidth)) {
    const blank = /^\s/.test(grapheme.text);
    let cells = cellsAt(grapheme.cells, column);
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
      cells = cellsAt(grapheme.cells, column);
    }
    // A glyph wider than the whole row still needs its place; a blank over the edge hangs.
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

/** The same for printable ASCII, where a unit is a grapheme and a cell. */
function layPlain(line: string, width: number): LaidLine {
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

/** Lines longer than this (UTF-16 units) are laid out again only from the first change on. */
const LONG = 2048;

/** `line` laid out with the rows of `before` that a common beginning leaves as they are. */
function layLongLine(
  line: string,
  before: { line: string; laid: LaidLine },
  width: number,
  cellWidth: CellWidth,
): LaidLine {
  const limit = Math.min(line.length, before.line.length);
  let same = 0;
  while (same < limit && line.charCodeAt(same) === before.line.charCodeAt(same)) same++;
  // A row depends on nothing behind the row after it.
  const { rows } = before.laid;
  let kept = rows.length - 1;
  while (kept > 0 && rows[kept]!.end >= same) kept--;
  if (kept === 0) return layLine(line, width, cellWidth);
  const start = rows[kept]!.start;
  const rest = layLine(line.slice(start), width, cellWidth);
  const moved = rest.rows.map((row) => ({ start: row.start + start, end: row.end + start, text: row.text }));
  return { rows: [...rows.slice(0, kept), ...moved], used: rest.used };
}

/** Cells before `offset` in a row. */
function columnIn(text: string, row: VisualRow, offset: number, cellWidth: CellWidth): number {
  const part = text.slice(row.start, offset);
  if (/^[\x20-\x7e]*$/.test(part)) return part.length;
  let column = 0;
  for (const { cells } of measured(part, cellWidth)) column += cellsAt(cells, column);
  return column;
}

/** Lays texts out; remembers the lines of the last call, so that one key in a long text costs one line. */
export class Layouter {
  readonly #cellWidth: CellWidth;
  #lines = new Map<string, LaidLine>();
  #width = 0;
  /** The last long line. */
  #long: { line: string; laid: LaidLine } | undefined;

  constructor(cellWidth: CellWidth) {
    this.#cellWidth = cellWidth;
  }

  /** Rows of `text` for `width` cells (2 at least) and the cell of `cursor`. */
  layout(text: string, cursor: number, width: number): TextLayout {
    const columns = Math.max(2, width);
    if (columns !== this.#width) this.#long = undefined;
    const known = columns === this.#width ? this.#lines : new Map<string, LaidLine>();
    const lines = new Map<string, LaidLine>();
    const rows: VisualRow[] = [];
    let cursorRow = 0;
    let cursorCol = 0;
    let start = 0;
    for (const line of text.split("\n")) {
      const laid = lines.get(line) ?? known.get(line) ?? this.#lay(line, columns);
      lines.set(line, laid);
      const first = rows.length;
      for (const row of laid.rows)
        rows.push({ start: start + row.start, end: start + row.end, text: row.text });
      const end = start + line.length;
      if (cursor >= start && cursor <= end) {
        // A cursor behind a full row stands at the start of the next one.
        if (cursor === end && laid.used >= columns) rows.push({ start: end, end, text: "" });
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

  #lay(line: string, columns: number): LaidLine {
    if (line.length < LONG) return layLine(line, columns, this.#cellWidth);
    const laid = this.#long
      ? layLongLine(line, this.#long, columns, this.#cellWidth)
      : layLine(line, columns, this.#cellWidth);
    this.#long = { line, laid };
    return laid;
  }

  /** The offset in a row that is nearest to the cell `column`, never past what the row shows. */
  offsetAt(text: string, layout: TextLayout, rowIndex: number, column: number): number {
    const row = layout.rows[Math.max(0, Math.min(layout.rows.length - 1, rowIndex))]!;
    let cells = 0;
    let at = row.start;
    for (const grapheme of measured(text.slice(row.start, row.end), this.#cellWidth)) {
      const next = cells + cellsAt(grapheme.cells, cells);
      if (next > column) break;
      cells = next;
      at += grapheme.text.length;
    }
    // The end of a row that goes on is the start of the next: stay before its last grapheme.
    const goesOn = layout.rows[rowIndex + 1]?.start === row.end;
    return goesOn && at >= row.end && row.end > row.start ? toBoundary(text, row.end - 1) : at;
  }
}
