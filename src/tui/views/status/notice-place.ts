/** Places the notices so that they cover neither the newest message nor the cursor. */
import type { State } from "../../../model/state.ts";
import { belowTitle, type Layout, type Rect } from "../../screen/layout.ts";
import type { KeyTable } from "../../keys/lookup.ts";
import type { Theme } from "../../render/theme.ts";
import { openPanelIn, PANEL_SLICES } from "../../ports/panels.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Reads } from "../../screen/store.ts";
import { FEED_SLICES } from "../messages/feed/feeds.ts";
import { fitsBelow } from "../messages/list.ts";
import { drawNotices, type DrawnNotices } from "./notice-rows.ts";

/** The slices that the place of the notices depends on. */
export const NOTICE_SLICES = [
  "notices",
  "layout",
  "views",
  "focus",
  ...PANEL_SLICES,
  ...FEED_SLICES,
] as const;

type NoticeInput = Reads<(typeof NOTICE_SLICES)[number]>;

/** The pane over which the notices are drawn. */
const paneOf = ({ main, panel, sidebar, columns, rows }: Layout): Rect =>
  main ?? panel ?? sidebar ?? { x: 0, y: 1, width: columns, height: Math.max(1, rows - 3) };

interface NoticeView {
  notices: State["notices"];
  theme: Theme;
  layout: Layout;
}

const noticeViewOf = ({ state, look, layout }: NoticeInput): NoticeView => ({
  notices: state.notices,
  theme: look.theme,
  layout,
});

const drawnAtTop = ({ notices, theme, layout }: NoticeView, table: KeyTable): DrawnNotices | undefined =>
  drawNotices(notices, { theme, pane: paneOf(layout), table });

/** Whether the notices are at the bottom of their pane. */
export function areAtBottom(model: NoticeInput, { keys, feeds }: Pick<Ports, "keys" | "feeds">): boolean {
  const rows = drawnAtTop(noticeViewOf(model), keys)?.rect.height;
  if (rows === undefined) return false;
  const { layout, screen } = model;
  const { main, panel } = layout;
  if (main) return screen.cid !== undefined && fitsBelow(model, feeds, { cid: screen.cid }, main, rows);
  const own = openPanelIn(screen);
  return !panel || (own?.of.fitsBelow?.({ feeds }, own.panel, model, belowTitle(panel), rows) ?? true);
}

/** The placed notices; the last row of the pane stays free for the typing indicator. */
export function placeNotices(view: NoticeView, table: KeyTable, atBottom: boolean): DrawnNotices | undefined {
  const drawn = drawnAtTop(view, table);
  if (!drawn || !atBottom) return drawn;
  const pane = paneOf(view.layout);
  const y = Math.max(pane.y, pane.y + pane.height - 1 - drawn.rect.height);
  return { ...drawn, rect: { ...drawn.rect, y } };
}

export const noticesIn = (
  model: NoticeInput,
  ports: Pick<Ports, "keys" | "feeds">,
): DrawnNotices | undefined => placeNotices(noticeViewOf(model), ports.keys, areAtBottom(model, ports));
