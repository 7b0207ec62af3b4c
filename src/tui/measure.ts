/** Computes the layout of a snapshot, including the height the composer needs. */
import { sameFields } from "../model/same-list.ts";
import type { ChannelEntry } from "../model/state.ts";
import { composerHeight } from "./views/composer/rows.ts";
import { layoutOfOther, screenOfOther } from "./screen/halves.ts";
import { boxOf, cidAside, topPanel, type Screen } from "./screen/screen.ts";
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
      detailsClosed: Screen["detailsClosed"],
      focus: Screen["focus"],
      { hidden: sidebarHidden, over: sidebarOver }: Screen["sidebar"],
      widths: Screen["panes"],
      columns: number,
      rows: number,
      other: Screen["other"],
      otherEntry: ChannelEntry | undefined,
    ): Frame => {
      const kind = layoutKind(columns, rows);
      const aside = cidAside({ cid: entry?.cid, columns, rows, panels, detailsClosed, other }) !== undefined;
      // Below 120 columns a panel covers the messages, except while the messages have the focus.
      const panel =
        aside || (topPanel({ panels }) !== undefined && (kind === "wide" || focus !== "messages"));
      const banner = nextStep({ ...(tour && { tour }) }) !== undefined || (entry?.pinned.length ?? 0) > 0;
      const next: Frame = { columns, rows, panel, aside, banner, sidebarHidden, sidebarOver, widths };
      const fills = focus === "panel" ? topPanel({ panels })?.fills : undefined;
      if (fills) next.fills = fills;
      if (other)
        next.halves = halvesOf(other.isLeft ? "right" : "left", (otherEntry?.pinned.length ?? 0) > 0);
      return (last = last && sameFields(last, next) ? last : next);
    },
  );
  const halvesOf = memoizeLast((focused: "left" | "right", otherBanner: boolean) => ({
    focused,
    otherBanner,
  }));
  const layoutOf = memoizeLast((frame: Frame, composerRows: number) => layout({ ...frame, composerRows }));
  const shapeOf = memoizeLast((frame: Frame) => layout({ ...frame, composerRows: 1 }));
  return (snapshot) => {
    const { cid, tour, panels, detailsClosed, focus, sidebar, panes, columns, rows, other } = snapshot.screen;
    const { channels } = snapshot.state;
    const entry = cid === undefined ? undefined : channels.get(cid);
    const otherEntry = other && channels.get(other.cid);
    const frame = frameOf(
      entry,
      tour,
      panels,
      detailsClosed,
      focus,
      sidebar,
      panes,
      columns,
      rows,
      other,
      otherEntry,
    );
    const shape = frame.halves && shapeOf(frame);
    const width = shape?.composer.width ?? frame.columns;
    const context = composerContext(shape ? { ...snapshot, layout: shape } : snapshot);
    const height = composerHeight(boxOf(snapshot.screen), width, context);
    if (!shape?.other) return layoutOf(frame, height);
    // Both composers are as high as the higher one needs to be, so that one line runs above them.
    const seen = { ...snapshot, screen: screenOfOther(snapshot.screen), layout: layoutOfOther(shape) };
    const otherHeight = composerHeight(boxOf(seen.screen), shape.other.composer.width, composerContext(seen));
    return layoutOf(frame, Math.max(height, otherHeight));
  };
}
