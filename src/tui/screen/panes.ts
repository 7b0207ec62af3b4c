/** Resizes panes by key and by mouse. */
import { borders, layoutKind, type Layout, type PaneWidths } from "./layout.ts";
import { topPanel, type Screen } from "./screen.ts";

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
function paneToResize(screen: Screen): Border {
  const beside = layoutKind(screen.columns, screen.rows) === "wide" && topPanel(screen) !== undefined;
  return beside && screen.focus !== "sidebar" ? "panel" : "sidebar";
}

/** Makes the pane wider or narrower by some cells. */
export function paneResized(screen: Screen, layout: Layout, by: number): Screen {
  const border = paneToResize(screen);
  const column = borders(layout)[border];
  return column === undefined
    ? screen
    : borderMoved(screen, border, border === "sidebar" ? column + by : column - by);
}
