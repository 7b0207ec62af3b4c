/** Computes the layout of a snapshot, including the height the composer needs. */
import type { Core } from "../core/core.ts";
import { composerHeight } from "./views/composer/rows.ts";
import { boxOf, topPanel, type Screen } from "./screen/screen.ts";
import { layout, layoutKind, type Layout, type PaneWidths } from "./screen/layout.ts";
import { openEntry } from "./screen/selectors.ts";
import { nextStep } from "./screen/tour.ts";
import { memoizeLast, type Snapshot } from "./screen/store.ts";
import { composerContext } from "./views/composer/composer-context.ts";

/** Returns the same object while nothing moved, so that views can compare it. */
export function createMeasure(core: Pick<Core, "userId">): (snapshot: Snapshot) => Layout {
  const layoutOf = memoizeLast(
    (
      columns: number,
      rows: number,
      panel: boolean,
      banner: boolean,
      sidebarHidden: boolean,
      sidebarOver: boolean,
      widths: PaneWidths,
      composerRows: number,
    ) => layout({ columns, rows, panel, banner, sidebarHidden, sidebarOver, widths, composerRows }),
  );
  return (snapshot) => {
    const { screen } = snapshot;
    const width = layoutKind(screen.columns, screen.rows) === "tiny" ? screen.columns : screen.columns - 2;
    return layoutOf(
      screen.columns,
      screen.rows,
      panelIsVisible(screen),
      nextStep(screen) !== undefined || (openEntry(snapshot)?.pinned.length ?? 0) > 0,
      screen.sidebar.hidden,
      screen.sidebar.over,
      screen.panes,
      composerHeight(boxOf(screen), width, composerContext(snapshot, core.userId)),
    );
  };
}

/** Below 120 columns a panel covers the messages, except while the messages have the focus. */
function panelIsVisible(screen: Screen): boolean {
  if (!topPanel(screen)) return false;
  return layoutKind(screen.columns, screen.rows) === "wide" || screen.focus !== "messages";
}
