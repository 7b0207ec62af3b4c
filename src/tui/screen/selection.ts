/** Text selected with the mouse in one pane, row by row as terminals do it. */
import { cellsBetween, restyleCells } from "../../text/cells.ts";
import type { Rect } from "./layout.ts";
import type { Pane } from "./drawn-panes.ts";

interface Cell {
  x: number;
  y: number;
}

/** The left button is down. */
export interface Drag {
  from: Cell;
  /** Where the mouse is, inside of the pane. */
  to: Cell;
  /** The pane it began in; absent until the mouse has moved. */
  rect?: Rect;
}

/** The mouse moved to a cell; outside of the pane the nearest one counts. */
export function withDragTo(drag: Drag, rect: Rect, { x, y }: Cell): Drag {
  const to = {
    x: Math.max(rect.x, Math.min(rect.x + rect.width - 1, x)),
    y: Math.max(rect.y, Math.min(rect.y + rect.height - 1, y)),
  };
  return { ...drag, to, rect };
}

/** The cells of a row of the pane that are selected, from its left; the second is behind the last. */
function partOf({ from, to, rect }: Required<Drag>, row: number): [number, number] | undefined {
  const y = rect.y + row;
  const back = to.y < from.y || (to.y === from.y && to.x < from.x);
  const [first, last] = back ? [to, from] : [from, to];
  if (y < first.y || y > last.y) return undefined;
  return [y === first.y ? first.x - rect.x : 0, y === last.y ? last.x - rect.x + 1 : rect.width];
}

const isOf = (drag: Drag | undefined, rect: Rect): drag is Required<Drag> =>
  drag?.rect !== undefined &&
  drag.rect.x === rect.x &&
  drag.rect.y === rect.y &&
  drag.rect.width === rect.width &&
  drag.rect.height === rect.height;

/** The drag when it is one in this pane. */
export const dragIn = (drag: Drag | undefined, rect: Rect): Required<Drag> | undefined =>
  isOf(drag, rect) ? drag : undefined;

export const withSelection = (
  rows: readonly string[],
  drag: Required<Drag>,
  style: (text: string) => string,
): string[] =>
  rows.map((text, row) => {
    const part = partOf(drag, row);
    return part ? restyleCells(text, ...part, style) : text;
  });

/** The selected text: without blanks at the ends of its rows and what all of them are indented by. */
export function selectedText({ rows }: Pane, drag: Required<Drag>): string {
  const parts = rows.flatMap((text, row) => {
    const part = partOf(drag, row);
    return part ? [cellsBetween(text, ...part).trimEnd()] : [];
  });
  const [first = "", ...rest] = parts;
  const indents = rest.filter((text) => text !== "").map((text) => text.length - text.trimStart().length);
  const indent = Math.min(...indents, Infinity);
  return [first.trimStart(), ...rest.map((text) => text.slice(indent))].join("\n").trim();
}
