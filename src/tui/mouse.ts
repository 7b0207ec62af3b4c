/** The mouse: a click goes where it points, the wheel scrolls what lies under it. */
import type { MouseEvent } from "./input/events.ts";
import type { Rect } from "./screen/layout.ts";
import { layouter, textLayout } from "./views/composer/rows.ts";
import { moveTo } from "./editor/state.ts";
import { listOf } from "./views/messages/list.ts";
import { feedWindow } from "./views/messages/feed.ts";
import { focused } from "./screen/moves.ts";
import { topPanel, viewOf } from "./screen/screen.ts";
import type { ThreadRef } from "../model/state.ts";
import { linesOf, shownTop } from "./views/sidebar/lines.ts";
import type { Ports } from "./screen/ports.ts";
import { popupStep } from "./views/popup/actions.ts";
import { VIEWS } from "./views/sidebar/places.ts";
import { goTo, scroll } from "./views/messages/moving.ts";
import { sidebarOpen } from "./views/sidebar/actions.ts";

const WHEEL_ROWS = 3;

const inside = (rect: Rect | undefined, x: number, y: number): rect is Rect =>
  rect !== undefined && x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;

export function mouse(ports: Ports, event: MouseEvent): void {
  const wheel = event.kind === "wheelup" ? -1 : event.kind === "wheeldown" ? 1 : 0;
  if (!wheel && !(event.kind === "down" && event.button === 0)) return;
  if (ports.store.screen.popups.length) {
    if (wheel) popupStep(wheel as 1 | -1)(ports);
    return;
  }
  const layout = ports.store.get().layout;
  const { x, y } = event;
  const panel = topPanel(ports.store.screen);
  if (inside(layout.sidebar, x, y)) return sidebar(ports, layout.sidebar, y, wheel);
  if (inside(layout.panel, x, y)) {
    if (panel?.kind !== "thread") return;
    const place = { cid: panel.cid, parentId: panel.parentId };
    if (wheel) return scroll(ports, wheel * WHEEL_ROWS, place);
    return click(ports, place, layout.panel, y - 1, "panel");
  }
  if (inside(layout.main, x, y) && ports.store.screen.cid !== undefined) {
    const place = { cid: ports.store.screen.cid };
    if (wheel) return scroll(ports, wheel * WHEEL_ROWS, place);
    return click(ports, place, layout.main, y, "messages");
  }
  if (inside(layout.composer, x, y) && !wheel) composer(ports, layout.composer, x, y);
}

function sidebar(ports: Ports, rect: Rect, y: number, wheel: number): void {
  const lines = linesOf(ports.store.get());
  const top = shownTop(ports.store.screen, lines, rect.height);
  if (wheel) {
    const most = Math.max(0, lines.length - rect.height);
    ports.store.now((s) => ({
      ...s,
      sidebar: { ...s.sidebar, top: Math.max(0, Math.min(most, top + wheel * WHEEL_ROWS)) },
    }));
    return;
  }
  const line = lines[top + y - rect.y];
  if (!line || line.kind === "typing") return;
  ports.store.now((s) => ({ ...s, sidebar: { ...s.sidebar, cursor: line.key } }));
  sidebarOpen(ports, VIEWS);
}

function click(ports: Ports, place: ThreadRef, rect: Rect, y: number, focus: "panel" | "messages"): void {
  const { feed, height } = listOf(ports, place);
  const line = feedWindow(feed, height, viewOf(ports.store.screen, place).anchor).lines[y - rect.y];
  if (!line || !feed.stops(line.index)) return;
  ports.store.now((s) => focused(s, focus));
  goTo(ports, place, line.id);
}

function composer(ports: Ports, rect: Rect, x: number, y: number): void {
  ports.store.now((s) => focused(s, "composer"));
  const box = ports.boxes.at();
  const laid = textLayout(box, rect.width);
  const banner = rect.height - laid.rows.length;
  const row = y - rect.y - Math.max(0, banner);
  if (row < 0) return;
  const offset = layouter.offsetAt(box.editor.text, laid, row, Math.max(0, x - rect.x - 3));
  ports.boxes.put(moveTo(box.editor, offset));
}
