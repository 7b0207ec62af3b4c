/** Cuts, overlays and restyles cell ranges of a styled row; styles continue after the changed part. */
import { graphemes } from "./graphemes.ts";
import { cellWidth, graphemeWidth, plain } from "./width.ts";

const STYLED_PART = /\x1b\[[\d;:]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|[^\x1b]+/g;
/** Ends every style and link. */
const RESET = "\x1b[0m\x1b]8;;\x1b\\";

interface Cut {
  before: string;
  after: string;
  /** The escapes before the cut; repeating them restores the styles that are open there. */
  escapes: string;
}

/** Splits a row at a cell; a wide character across the cut becomes blanks. */
function cutAt(row: string, at: number): Cut {
  let [before, after, escapes] = ["", "", ""];
  let cells = 0;
  for (const [part] of row.matchAll(STYLED_PART)) {
    if (cells >= at) after += part;
    else if (part.startsWith("\x1b")) {
      before += part;
      escapes += part;
    } else
      for (const grapheme of graphemes(part)) {
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

/** The unstyled text of a cell range (end exclusive). */
export const cellsBetween = (row: string, from: number, to: number): string =>
  cutAt(cutAt(plain(row), to).before, from).after;

/** Draws a styled one-line label over the cells from `x` on. */
export function overlayLabel(row: string, x: number, label: string): string {
  const { before, escapes: open } = cutAt(row, x);
  const { after, escapes } = cutAt(row, x + cellWidth(label));
  return before + (open && RESET) + label + escapes + after;
}

export const restyleCells = (
  row: string,
  from: number,
  to: number,
  style: (text: string) => string,
): string => (to > from ? overlayLabel(row, from, style(cellsBetween(row, from, to))) : row);
