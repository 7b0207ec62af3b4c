/** Computes the layout of a snapshot, including the height the composer needs. */
import { sameFields } from "../model/same-list.ts";
import type { ChannelEntry } from "../model/state.ts";
import { composerHeight } from "./views/composer/rows.ts";
import { boxOf, topPanel, type Screen } from "./screen/screen.ts";
import { layout, layoutKind, type Layout, type LayoutOptions } from "./screen/layout.ts";
import { nextStep } from "./screen/tour.ts";
import { memoizeLast, type Snapshot } from "./screen/store.ts";
import { composerContext } from "./views/composer/composer-context.ts";

/** All but the height of the composer. */
type Frame = Omit<LayoutOptions, "composerRows">;

/** Returns the same object while nothing moved, so that views can compare it. */
export function createMeasure(): (snapshot: Snapshot) => Layout {
  let last: Frame | undefined;
  /** Worked out again only when one of these has changed, which a letter does not. */
  const frameOf = memoizeLast(
    (
      entry: ChannelEntry | undefined,
      tour: Screen["tour"],
      panels: Screen["panels"],
      focus: Screen["focus"],
      { hidden: sidebarHidden, over: sidebarOver }: Screen["sidebar"],
      widths: Screen["panes"],
      columns: number,
      rows: number,
    ): Frame => {
      const kind = layoutKind(columns, rows);
      // Below 120 columns a panel covers the messages, except while the messages have the focus.
      const panel = topPanel({ panels }) !== undefined && (kind === "wide" || focus !== "messages");
      const banner = nextStep({ ...(tour && { tour }) }) !== undefined || (entry?.pinned.length ?? 0) > 0;
      const next = { columns, rows, panel, banner, sidebarHidden, sidebarOver, widths };
      return (last = last && sameFields(last, next) ? last : next);
    },
  );
  const layoutOf = memoizeLast((frame: Frame, composerRows: number) => layout({ ...frame, composerRows }));
  return (snapshot) => {
    const { cid, tour, panels, focus, sidebar, panes, columns, rows } = snapshot.screen;
    const entry = cid === undefined ? undefined : snapshot.state.channels.get(cid);
    const frame = frameOf(entry, tour, panels, focus, sidebar, panes, columns, rows);
    return layoutOf(frame, composerHeight(boxOf(snapshot.screen), frame.columns, composerContext(snapshot)));
  };
}
