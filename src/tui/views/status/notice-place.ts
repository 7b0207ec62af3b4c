/** Places the notices so that they cover neither the newest message nor the cursor. */
import type { ThreadRef } from "../../../model/state.ts";
import { belowTitle, type Layout, type Rect } from "../../screen/layout.ts";
import type { KeyTable } from "../../keys/lookup.ts";
import type { Theme } from "../../render/theme.ts";
import type { Ports } from "../../ports/ports.ts";
import { topPanel, scrollOf, type ListName, type Panel } from "../../screen/screen.ts";
import type { Model } from "../../screen/store.ts";
import { listCursorIndex, entriesOf } from "../lists/entries.ts";
import { entryAtRow } from "../lists/pane.ts";
import { blankAbove, listHeight, windowIn } from "../messages/list.ts";
import { drawNotices, type DrawnNotices } from "./notice-rows.ts";

/** The pane over which the notices are drawn. */
const paneOf = ({ main, panel, sidebar, columns, rows }: Layout): Rect =>
  main ?? panel ?? sidebar ?? { x: 0, y: 1, width: columns, height: Math.max(1, rows - 3) };

type Feeds = Ports["feeds"];

/** Whether notices should be at the bottom of a message list: only if nothing is hidden there that should be visible. */
function fitsBelowMessages(model: Model, feeds: Feeds, place: ThreadRef, rect: Rect, rows: number): boolean {
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

/** Notices go to the bottom of a list unless they would cover the cursor there. */
function fitsBelowList(model: Model, list: ListName, rect: Rect, rows: number): boolean {
  const cursor = listCursorIndex(model.screen, list, entriesOf(model, list));
  const bottomRows = Array.from({ length: rows + 1 }, (_, i) => rect.height - 1 - i);
  return bottomRows.every((row) => entryAtRow(model, list, rect, row) !== cursor);
}

function fitsBelowPanel(model: Model, feeds: Feeds, panel: Panel, rect: Rect, rows: number): boolean {
  if (panel.kind === "list") return fitsBelowList(model, panel.list, rect, rows);
  if (panel.kind !== "thread") return true;
  const { cid, parentId } = panel;
  return fitsBelowMessages(model, feeds, { cid, parentId }, belowTitle(rect), Math.max(1, rows - 1));
}

interface NoticeView {
  notices: Model["state"]["notices"];
  theme: Theme;
  layout: Layout;
}

const noticeViewOf = ({ state, look, layout }: Model): NoticeView => ({
  notices: state.notices,
  theme: look.theme,
  layout,
});

const drawnAtTop = ({ notices, theme, layout }: NoticeView, table: KeyTable): DrawnNotices | undefined =>
  drawNotices(notices, { theme, pane: paneOf(layout), table });

/** Whether the notices are at the bottom of their pane. */
export function areAtBottom(model: Model, { keys, feeds }: Pick<Ports, "keys" | "feeds">): boolean {
  const rows = drawnAtTop(noticeViewOf(model), keys)?.rect.height;
  if (rows === undefined) return false;
  const { layout, screen } = model;
  const { main, panel } = layout;
  if (main)
    return screen.cid !== undefined && fitsBelowMessages(model, feeds, { cid: screen.cid }, main, rows);
  const top = topPanel(screen);
  return !panel || !top || fitsBelowPanel(model, feeds, top, panel, rows);
}

/** The placed notices; the last row of the pane stays free for the typing indicator. */
export function placeNotices(view: NoticeView, table: KeyTable, atBottom: boolean): DrawnNotices | undefined {
  const drawn = drawnAtTop(view, table);
  if (!drawn || !atBottom) return drawn;
  const pane = paneOf(view.layout);
  const y = Math.max(pane.y, pane.y + pane.height - 1 - drawn.rect.height);
  return { ...drawn, rect: { ...drawn.rect, y } };
}

export const noticesIn = (model: Model, ports: Pick<Ports, "keys" | "feeds">): DrawnNotices | undefined =>
  placeNotices(noticeViewOf(model), ports.keys, areAtBottom(model, ports));
