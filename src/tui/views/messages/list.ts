/** Geometry of a list of messages in its pane: rectangle, height and visible rows. */
import { belowTitle, type Rect, type RowSpan } from "../../screen/layout.ts";
import type { ThreadRef } from "../../../model/state.ts";
import type { ShownInput } from "../../ports/panels.ts";
import type { Ports } from "../../ports/ports.ts";
import { panelPlace, scrollOf, type Screen } from "../../screen/screen.ts";
import { feedWindow, type FeedWindow } from "./feed/feed.ts";
import type { FeedInput, Feeds, MessageRows } from "./feed/feeds.ts";

/** The last row of a pane shows who is typing and what is below. */
export const listHeight = (rect: Rect): number => Math.max(1, rect.height - 1);

/** Blank rows above a short list: a channel is aligned to the composer below, a thread to its title above. */
export const blankAbove = (
  { parentId }: ThreadRef,
  { lines }: Pick<FeedWindow, "lines">,
  height: number,
): number => (parentId === undefined ? Math.max(0, height - lines.length) : 0);

export type ListPorts = Pick<Ports, "store" | "feeds">;

interface List {
  feed: MessageRows;
  /** Rows of the window. */
  height: number;
}

/** The list of a channel or thread as its pane shows it, or would show it if it were open. */
export function listOf({ store, feeds }: ListPorts, place: ThreadRef): List {
  const model = store.get();
  const { main, panel, columns, other } = model.layout;
  const inThread = place.parentId !== undefined;
  const inOther = !inThread && place.cid === model.screen.other?.cid;
  const rect = (inOther && other?.main) || (inThread ? (panel ?? main) : (main ?? panel));
  return {
    feed: feeds.feed(model, place, rect?.width ?? columns),
    height: rect ? listHeight(inThread ? belowTitle(rect) : rect) : 1,
  };
}

/** The visible rows of a channel or thread drawn in this rectangle. */
export function windowIn(
  model: FeedInput & { screen: Pick<Screen, "views"> },
  feeds: Feeds,
  place: ThreadRef,
  rect: Rect,
): FeedWindow {
  const feed = feeds.feed(model, place, rect.width);
  return feedWindow(feed, listHeight(rect), scrollOf(model.screen, place).anchor);
}

/** The rows of the screen with the message under the cursor; undefined if none is visible. */
export function selectedRows({ store, feeds }: ListPorts): RowSpan | undefined {
  const model = store.get();
  const { screen, layout } = model;
  const place =
    screen.focus === "panel"
      ? panelPlace(screen)
      : screen.cid === undefined
        ? undefined
        : { cid: screen.cid };
  const pane = screen.focus === "panel" ? layout.panel && belowTitle(layout.panel) : layout.main;
  if (!place || !pane) return undefined;
  const { lines } = windowIn(model, feeds, place, pane);
  const { selected } = scrollOf(screen, place);
  const first = lines.findIndex(({ id }) => id === selected);
  if (first < 0) return undefined;
  const top = pane.y + blankAbove(place, { lines }, listHeight(pane));
  return { from: top + first, to: top + 1 + lines.findLastIndex(({ id }) => id === selected) };
}

/** Whether rows over the bottom of the list hide nothing that should be seen. */
export function fitsBelow(
  model: ShownInput,
  feeds: Feeds,
  place: ThreadRef,
  rect: Rect,
  rows: number,
): boolean {
  const { selected } = scrollOf(model.screen, place);
  const isBrowsing = model.screen.focus === (place.parentId === undefined ? "messages" : "panel");
  const { lines } = windowIn(model, feeds, place, rect);
  const height = listHeight(rect);
  const blank = blankAbove(place, { lines }, height);
  if (blank === 0 && lines.length + rows <= height) return true;
  const showsSelected = (from: number, to: number): boolean =>
    lines.slice(Math.max(0, from - blank), Math.max(0, to - blank)).some(({ id }) => id === selected);
  return isBrowsing && showsSelected(0, rows) && !showsSelected(height - rows, height);
}
