/** Resizes the panes by key and by mouse. */
import { borders, layoutKind, type Layout, type PaneWidths } from "./layout.ts";
import { topPanel, type Screen } from "./screen.ts";

type Border = keyof PaneWidths;

/** The border between two panes in this column of the body. */
export function borderAt(layout: Layout, x: number, y: number): Border | undefined {
  if (y < 1 || y >= (layout.divider ?? 0)) return undefined;
  const { sidebar, panel } = borders(layout);
  return x === sidebar ? "sidebar" : x === panel ? "panel" : undefined;
}

/** The border in that column, or as near as the layout lets it. */
export function borderMoved(screen: Screen, border: Border, x: number): Screen {
  const width = border === "sidebar" ? x - 1 : screen.columns - 2 - x;
  return { ...screen, panes: { ...screen.panes, [border]: Math.max(1, width) } };
}

/** The pane that keys make wider: the one that has them, else the panel beside the messages, else the sidebar. */
function paneMeant(screen: Screen): Border {
  const beside = layoutKind(screen.columns, screen.rows) === "wide" && topPanel(screen) !== undefined;
  return beside && screen.focus !== "sidebar" ? "panel" : "sidebar";
}

/** Wider or narrower by cells, from where its border stands now. */
export function paneResized(screen: Screen, layout: Layout, by: number): Screen {
  const border = paneMeant(screen);
  const at = borders(layout)[border];
  return at === undefined ? screen : borderMoved(screen, border, border === "sidebar" ? at + by : at - by);
}
