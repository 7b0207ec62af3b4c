/** Text selection with the mouse within one pane, row by row as in terminals. */
import { cellsBetween, restyleCells } from "../../text/cells.ts";
import type { Rect } from "./layout.ts";
import type { Pane } from "./drawn-panes.ts";

interface Cell {
  x: number;
  y: number;
}

/** A drag with the left button. */
export interface Drag {
  from: Cell;
  /** The mouse position, limited to the pane. */
  to: Cell;
  /** The pane in which it began; absent until the mouse has moved. */
  rect?: Rect;
}

/** Moves the end of the selection to a cell, or the nearest cell of the pane. */
export function withDragTo(drag: Drag, rect: Rect, { x, y }: Cell): Drag {
  const to = {
    x: Math.max(rect.x, Math.min(rect.x + rect.width - 1, x)),
    y: Math.max(rect.y, Math.min(rect.y + rect.height - 1, y)),
  };
  return { ...drag, to, rect };
}

/** The selected columns [from, to) of a row, relative to the pane. */
function selectedColumns({ from, to, rect }: Required<Drag>, row: number): [number, number] | undefined {
  const y = rect.y + row;
  const isBackwards = to.y < from.y || (to.y === from.y && to.x < from.x);
  const [first, last] = isBackwards ? [to, from] : [from, to];
  if (y < first.y || y > last.y) return undefined;
  return [y === first.y ? first.x - rect.x : 0, y === last.y ? last.x - rect.x + 1 : rect.width];
}

const isInPane = (drag: Drag | undefined, rect: Rect): drag is Required<Drag> =>
  drag?.rect !== undefined &&
  drag.rect.x === rect.x &&
  drag.rect.y === rect.y &&
  drag.rect.width === rect.width &&
  drag.rect.height === rect.height;

/** The drag, if it is in this pane. */
export const dragIn = (drag: Drag | undefined, rect: Rect): Required<Drag> | undefined =>
  isInPane(drag, rect) ? drag : undefined;

export const withSelection = (
  rows: readonly string[],
  drag: Required<Drag>,
  style: (text: string) => string,
): string[] =>
  rows.map((text, row) => {
    const columns = selectedColumns(drag, row);
    return columns ? restyleCells(text, ...columns, style) : text;
  });

/** What stands before the text of a row: the cursor, blanks, the rail of a quote or of code. */
const BEFORE_TEXT = /^[▌▎]?\s*(?:[▎│┃]\s)*\s*/;

/** The selected text without trailing blanks and common indentation; a line that was wrapped is one line again. */
export function selectedText({ rows, wraps }: Pane, drag: Required<Drag>): string {
  const wrapAt = wraps?.() ?? [];
  const parts = rows.flatMap((text, row) => {
    const columns = selectedColumns(drag, row);
    return columns ? [{ text: cellsBetween(text, ...columns).trimEnd(), before: wrapAt[row - 1] }] : [];
  });
  const [first, ...rest] = parts;
  const lines = rest.filter(({ text, before }) => text !== "" && before === undefined);
  const indent = Math.min(...lines.map(({ text }) => text.length - text.trimStart().length), Infinity);
  const tail = rest.map(({ text, before }) =>
    before === undefined ? `\n${text.slice(indent)}` : before + text.replace(BEFORE_TEXT, ""),
  );
  return [first?.text.trimStart() ?? "", ...tail].join("").trim();
}
