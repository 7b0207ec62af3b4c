/** The mouse: a click goes where it points, the wheel scrolls what lies under it. */
import type { MouseEvent } from "./input/events.ts";
import type { Rect } from "./screen/layout.ts";
import type { Ports, Zone } from "./screen/ports.ts";
import { composerZone } from "./views/composer/mouse.ts";
import { messagesZone } from "./views/messages/mouse.ts";
import { panelZone } from "./views/panel/mouse.ts";
import { popupStep } from "./views/popup/actions.ts";
import { headerZone, noticesZone, statusZone } from "./views/status/mouse.ts";
import { sidebarZone } from "./views/sidebar/mouse.ts";

const WHEEL_ROWS = 3;

const ZONES: readonly Zone[] = [
  noticesZone,
  headerZone,
  sidebarZone,
  panelZone,
  messagesZone,
  composerZone,
  statusZone,
];

const inside = (rect: Rect, x: number, y: number): boolean =>
  x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;

export function mouse(ports: Ports, { kind, button, x, y }: MouseEvent): void {
  const wheel = kind === "wheelup" ? -1 : kind === "wheeldown" ? 1 : 0;
  if (!wheel && !(kind === "down" && button === 0)) return;
  const model = ports.store.get();
  if (model.screen.popups.length) {
    if (wheel) popupStep(wheel)(ports);
    return;
  }
  for (const zone of ZONES) {
    const rect = zone.rect(model, ports);
    if (!rect || !inside(rect, x, y)) continue;
    if (wheel) zone.wheel?.(ports, wheel * WHEEL_ROWS, rect);
    else zone.click(ports, { x: x - rect.x, y: y - rect.y }, rect);
    return;
  }
}
