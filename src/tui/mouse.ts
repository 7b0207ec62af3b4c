/** The mouse: a click goes where it points, the wheel scrolls what lies under it. */
import type { MouseEvent } from "./input/events.ts";
import type { Rect } from "./screen/layout.ts";
import { layouter, textLayout } from "./panes/composer.ts";
import { moveTo } from "./editor/state.ts";
import { listOf } from "./views/messages/list.ts";
import { feedWindow } from "./views/messages/feed.ts";
import { withEditor } from "./screen/composer.ts";
import { focused } from "./screen/moves.ts";
import { topPanel, viewOf } from "./screen/screen.ts";
import type { ThreadRef } from "../model/state.ts";
import { linesOf, shownTop } from "./views/sidebar/lines.ts";
import type { Ui } from "./ui.ts";
import { popupStep } from "./views/popup/actions.ts";
import { VIEWS } from "./views/sidebar/places.ts";
import { goTo, scroll } from "./views/messages/moving.ts";
import { sidebarOpen } from "./views/sidebar/actions.ts";

const WHEEL_ROWS = 3;

const inside = (rect: Rect | undefined, x: number, y: number): rect is Rect =>
  rect !== undefined && x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;

export function mouse(ui: Ui, event: MouseEvent): void {
  const wheel = event.kind === "wheelup" ? -1 : event.kind === "wheeldown" ? 1 : 0;
  if (!wheel && !(event.kind === "down" && event.button === 0)) return;
  if (ui.screen.popups.length) {
    if (wheel) popupStep(wheel as 1 | -1)(ui);
    return;
  }
  const layout = ui.model.layout;
  const { x, y } = event;
  const panel = topPanel(ui.screen);
  if (inside(layout.sidebar, x, y)) return sidebar(ui, layout.sidebar, y, wheel);
  if (inside(layout.panel, x, y)) {
    if (panel?.kind !== "thread") return;
    const place = { cid: panel.cid, parentId: panel.parentId };
    if (wheel) return scroll(ui, wheel * WHEEL_ROWS, place);
    return click(ui, place, layout.panel, y - 1, "panel");
  }
  if (inside(layout.main, x, y) && ui.screen.cid !== undefined) {
    const place = { cid: ui.screen.cid };
    if (wheel) return scroll(ui, wheel * WHEEL_ROWS, place);
    return click(ui, place, layout.main, y, "messages");
  }
  if (inside(layout.composer, x, y) && !wheel) composer(ui, layout.composer, x, y);
}

function sidebar(ui: Ui, rect: Rect, y: number, wheel: number): void {
  const lines = linesOf(ui.model);
  const top = shownTop(ui.screen, lines, rect.height);
  if (wheel) {
    const most = Math.max(0, lines.length - rect.height);
    ui.change((s) => ({
      ...s,
      sidebar: { ...s.sidebar, top: Math.max(0, Math.min(most, top + wheel * WHEEL_ROWS)) },
    }));
    return;
  }
  const line = lines[top + y - rect.y];
  if (!line || line.kind === "typing") return;
  ui.change((s) => ({ ...s, sidebar: { ...s.sidebar, cursor: line.key } }));
  sidebarOpen(ui, VIEWS);
}

function click(ui: Ui, place: ThreadRef, rect: Rect, y: number, focus: "panel" | "messages"): void {
  const { feed, height } = listOf(ui, place);
  const line = feedWindow(feed, height, viewOf(ui.screen, place).anchor).lines[y - rect.y];
  if (!line || !feed.stops(line.index)) return;
  ui.change((s) => focused(s, focus));
  goTo(ui, place, line.id);
}

function composer(ui: Ui, rect: Rect, x: number, y: number): void {
  ui.change((s) => focused(s, "composer"));
  const box = ui.composer();
  const laid = textLayout(box, rect.width);
  const banner = rect.height - laid.rows.length;
  const row = y - rect.y - Math.max(0, banner);
  if (row < 0) return;
  const offset = layouter.offsetAt(box.editor.text, laid, row, Math.max(0, x - rect.x - 3));
  ui.compose(withEditor(box, moveTo(box.editor, offset)));
}
