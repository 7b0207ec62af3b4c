/** A list of messages in its pane: its rectangle, and how many rows are in sight. */
import { belowTitle, type Rect } from "../../screen/layout.ts";
import type { ThreadRef } from "../../../model/state.ts";
import type { Ports } from "../../ports/ports.ts";
import { scrollOf } from "../../screen/screen.ts";
import type { Model } from "../../screen/store.ts";
import { feedWindow, type FeedWindow } from "./feed/feed.ts";
import type { Feeds, MessageRows } from "./feed/feeds.ts";

/** The last row of a pane tells who types and what is below. */
export const listHeight = (rect: Rect): number => Math.max(1, rect.height - 1);

/** Blank rows above a list that does not fill its pane: a channel stands by the box, a thread under its title. */
export const blankAbove = (
  { parentId }: ThreadRef,
  { lines }: Pick<FeedWindow, "lines">,
  height: number,
): number => (parentId === undefined ? Math.max(0, height - lines.length) : 0);

/** What a list of messages is drawn from and moved in. */
export type Lists = Pick<Ports, "store" | "feeds">;

interface List {
  feed: MessageRows;
  /** Rows of the window. */
  height: number;
}

/** The list of a place as its pane shows it, or would. */
export function listOf({ store, feeds }: Lists, place: ThreadRef): List {
  const model = store.get();
  const { main, panel, columns } = model.layout;
  const inThread = place.parentId !== undefined;
  const rect = inThread ? (panel ?? main) : (main ?? panel);
  return {
    feed: feeds.feed(model, place, rect?.width ?? columns),
    height: rect ? listHeight(inThread ? belowTitle(rect) : rect) : 1,
  };
}

/** The window of a place that stands in this rectangle. */
export function windowIn(model: Model, feeds: Feeds, place: ThreadRef, rect: Rect): FeedWindow {
  const feed = feeds.feed(model, place, rect.width);
  return feedWindow(feed, listHeight(rect), scrollOf(model.screen, place).anchor);
}
