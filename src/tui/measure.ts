/** Computes the layout of a snapshot, with as many rows as the composer needs. */
import type { Core } from "../core/core.ts";
import { composerHeight } from "./views/composer/rows.ts";
import { boxOf, topPanel, type Screen } from "./screen/screen.ts";
import { layout, layoutKind, type Layout, type PaneWidths } from "./screen/layout.ts";
import { openEntry } from "./screen/selectors.ts";
import { nextStep } from "./screen/tour.ts";
import { memoLast, type Snapshot } from "./screen/store.ts";
import { overBox } from "./views/composer/over.ts";

/** Measures for one screen: the same object while nothing moved, so that views can compare it. */
export function createMeasure(core: Pick<Core, "userId">): (snapshot: Snapshot) => Layout {
  const same = memoLast(
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
    return same(
      screen.columns,
      screen.rows,
      panelShown(screen),
      nextStep(screen) !== undefined || (openEntry(snapshot)?.pinned.length ?? 0) > 0,
      screen.sidebar.hidden,
      screen.sidebar.over,
      screen.panes,
      composerHeight(boxOf(screen), width, overBox(snapshot, core.userId, {})),
    );
  };
}

/** A panel covers the messages below 120 columns, except while the messages have the keys. */
function panelShown(screen: Screen): boolean {
  if (!topPanel(screen)) return false;
  return layoutKind(screen.columns, screen.rows) === "wide" || screen.focus !== "messages";
}
