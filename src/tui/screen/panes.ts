/** Resizes panes by key and by mouse. */
import { borders, type Layout, type PaneWidths } from "./layout.ts";
import type { Screen } from "./screen.ts";

type Border = keyof PaneWidths;

/** The border between two panes at a cell. */
export function borderAt(layout: Layout, x: number, y: number): Border | undefined {
  if (y < 1 || y >= (layout.divider ?? 0)) return undefined;
  const { sidebar, panel } = borders(layout);
  return x === sidebar ? "sidebar" : x === panel ? "panel" : undefined;
}

/** Moves a border to a column; the layout limits the resulting width. */
export function borderMoved(screen: Screen, border: Border, x: number): Screen {
  const width = border === "sidebar" ? x : screen.columns - 1 - x;
  return { ...screen, panes: { ...screen.panes, [border]: Math.max(1, width) } };
}

/** The pane that keys resize: the panel if it is beside the messages and the sidebar is not focused, else the sidebar. */
const paneToResize = (screen: Screen, { panel }: PaneWidths): Border =>
  panel !== undefined && screen.focus !== "sidebar" ? "panel" : "sidebar";

/** Makes the pane wider or narrower by some cells. */
export function paneResized(screen: Screen, layout: Layout, by: number): Screen {
  const columns = borders(layout);
  const border = paneToResize(screen, columns);
  const column = columns[border];
  return column === undefined
    ? screen
    : borderMoved(screen, border, border === "sidebar" ? column + by : column - by);
}
