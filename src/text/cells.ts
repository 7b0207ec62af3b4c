/** Cuts, overlays and restyles parts of a styled row by its cells; open styles continue behind them. */
import { graphemes } from "./graphemes.ts";
import { cellWidth, graphemeWidth, plain } from "./width.ts";

const PIECE = /\x1b\[[\d;:]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|[^\x1b]+/g;
/** Ends every style and link. */
const RESET = "\x1b[0m\x1b]8;;\x1b\\";

interface Cut {
  before: string;
  after: string;
  /** The escapes before the cut: written again they open what was open there. */
  escapes: string;
}

/** The row in two at a cell; a wide character under the cut is blanks. */
function cutAt(row: string, at: number): Cut {
  let [before, after, escapes] = ["", "", ""];
  let cells = 0;
  for (const [piece] of row.matchAll(PIECE)) {
    if (cells >= at) after += piece;
    else if (piece.startsWith("\x1b")) {
      before += piece;
      escapes += piece;
    } else
      for (const grapheme of graphemes(piece)) {
        const width = graphemeWidth(grapheme);
        if (cells >= at) after += grapheme;
        else if (cells + width > at) {
          before += " ".repeat(at - cells);
          after += " ".repeat(cells + width - at);
        } else before += grapheme;
        cells += width;
      }
  }
  return { before: before + " ".repeat(Math.max(0, at - cells)), after, escapes };
}

/** The bare text from one cell up to before another. */
export const cellsBetween = (row: string, from: number, to: number): string =>
  cutAt(cutAt(plain(row), to).before, from).after;

/** The row with `label` over the cells from `x` on; a styled label of one line. */
export function drawnOver(row: string, x: number, label: string): string {
  const { before, escapes: open } = cutAt(row, x);
  const { after, escapes } = cutAt(row, x + cellWidth(label));
  return before + (open && RESET) + label + escapes + after;
}

/** The row with a part of it in one style instead of its own. */
export const styledBetween = (
  row: string,
  from: number,
  to: number,
  style: (text: string) => string,
): string => (to > from ? drawnOver(row, from, style(cellsBetween(row, from, to))) : row);
