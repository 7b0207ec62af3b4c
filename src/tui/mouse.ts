/** The mouse: a click goes where it points, the wheel scrolls what lies under it. */
import type { MouseEvent } from "./input/events.ts";
import type { Rect } from "./screen/layout.ts";
import type { Ports, Zone } from "./screen/ports.ts";
import { composerZone } from "./views/composer/mouse.ts";
import { messagesZone } from "./views/messages/mouse.ts";
import { panelZone } from "./views/panel/mouse.ts";
import { HANDLERS } from "./handlers.ts";
import { clickForm } from "./views/poll/actions.ts";
import { topPopup } from "./screen/screen.ts";
import { pointAtChoice, popupStep } from "./views/popup/actions.ts";
import { searchZone } from "./views/search/mouse.ts";
import { headerZone, noticesZone, statusZone } from "./views/status/mouse.ts";
import { sidebarZone } from "./views/sidebar/mouse.ts";

const WHEEL_ROWS = 3;

const ZONES: readonly Zone[] = [
  noticesZone,
  headerZone,
  sidebarZone,
  searchZone,
  panelZone,
  messagesZone,
  composerZone,
  statusZone,
];

const inside = (rect: Rect, x: number, y: number): boolean =>
  x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;

/** A popup has the mouse for itself. */
function overPopup(ports: Ports, wheel: number, at: { x: number; y: number }): void {
  if (topPopup(ports.store.screen)?.kind === "poll") {
    if (wheel) HANDLERS[wheel > 0 ? "formNext" : "formPrevious"](ports);
    else clickForm(ports, at);
  } else if (wheel) popupStep(wheel)(ports);
  else if (pointAtChoice(ports, at)) HANDLERS.popupAccept(ports);
}

export function mouse(ports: Ports, { kind, button, x, y }: MouseEvent): void {
  const wheel = kind === "wheelup" ? -1 : kind === "wheeldown" ? 1 : 0;
  if (!wheel && !(kind === "down" && button === 0)) return;
  const model = ports.store.get();
  if (model.screen.popups.length) return overPopup(ports, wheel, { x, y });
  for (const zone of ZONES) {
    const rect = zone.rect(model, ports);
    if (!rect || !inside(rect, x, y)) continue;
    if (wheel) zone.wheel?.(ports, wheel * WHEEL_ROWS, rect);
    else zone.click(ports, { x: x - rect.x, y: y - rect.y }, rect);
    return;
  }
}
