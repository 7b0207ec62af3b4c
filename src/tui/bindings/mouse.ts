/** Handles the mouse: clicks, text selection within a pane, moving borders, and the wheel. */
import type { MouseEvent } from "../input/events.ts";
import type { Ports, MouseZone } from "../ports/ports.ts";
import { composerZone } from "../views/composer/mouse.ts";
import { bannerZone } from "../views/lists/banner.tsx";
import { copyText } from "../views/messages/actions.ts";
import { messagesZone } from "../views/messages/mouse.ts";
import { panelZone } from "../views/panel/mouse.ts";
import { HANDLERS } from "./handlers.ts";
import { clickFields } from "../views/forms/actions.ts";
import { clickForm } from "../views/poll/actions.ts";
import { isInside } from "../screen/drawn-panes.ts";
import { borderAt, borderMoved } from "../screen/panes.ts";
import { withDragTo, selectedText } from "../screen/selection.ts";
import { topPopup } from "../screen/popup.ts";
import { switchHalf } from "../navigation/halves.ts";
import { scroll } from "../views/messages/navigation.ts";
import { selectChoiceAt, popupStep } from "../views/popup/actions.ts";
import { headerZone, noticesZone, statusZone } from "../views/status/mouse.ts";
import { sidebarZone } from "../views/sidebar/mouse.ts";

const WHEEL_ROWS = 3;

/** The half without the focus: the wheel scrolls it where it is, a click acts in it once it has the focus. */
const otherHalfZone: MouseZone = {
  rect: ({ layout: { other, rows } }) => other && { ...other.header, height: rows - 1 },
  click(ports, { x, y }, rect) {
    switchHalf(ports);
    clickOrScroll(ports, 0, { x: rect.x + x, y: rect.y + y });
  },
  wheel: (ports, rows) => scroll(ports, rows, { cid: ports.store.screen.other!.cid }),
};

const ZONES: readonly MouseZone[] = [
  noticesZone,
  headerZone,
  sidebarZone,
  bannerZone,
  panelZone,
  messagesZone,
  composerZone,
  statusZone,
  otherHalfZone,
];

/** While a popup is open it receives all mouse events. */
function mouseOnPopup(ports: Ports, wheel: number, position: { x: number; y: number }): void {
  const kind = topPopup(ports.store.screen)?.kind;
  if (kind === "poll" || kind === "fields") {
    if (wheel) HANDLERS[wheel > 0 ? "formNext" : "formPrevious"](ports);
    else if (kind === "poll") clickForm(ports, position);
    else clickFields(ports, position);
  } else if (wheel) popupStep(wheel)(ports);
  else if (selectChoiceAt(ports, position)) HANDLERS.popupAccept(ports);
}

/** The left button was pressed: this is a click, the start of a selection, or of moving a border. */
function startDrag({ store }: Ports, position: { x: number; y: number }): void {
  const { layout, screen } = store.get();
  const border = screen.popups.length ? undefined : borderAt(layout, position.x, position.y);
  store.update((s) => ({
    ...s,
    movingBorder: border,
    drag: border ? undefined : { from: position, to: position },
  }));
}

function continueDrag({ store, drawnPanes }: Ports, position: { x: number; y: number }): void {
  const { drag, movingBorder } = store.screen;
  if (movingBorder) return store.update((s) => borderMoved(s, movingBorder, position.x));
  if (!drag) return;
  const rect = drag.rect ?? drawnPanes.at(drag.from.x, drag.from.y)?.rect;
  if (rect) store.update((s) => ({ ...s, drag: withDragTo(drag, rect, position) }));
}

/** True when it ended a selection or the move of a border, false when it was a click. */
function endDrag(ports: Ports): boolean {
  const { store, drawnPanes } = ports;
  const { drag, movingBorder } = store.screen;
  if (movingBorder) {
    store.update((s) => ({ ...s, movingBorder: undefined }));
    return true;
  }
  store.update((s) => ({ ...s, drag: undefined }));
  if (!drag?.rect) return false;
  const pane = drawnPanes.at(drag.from.x, drag.from.y);
  const text = pane ? selectedText(pane, { ...drag, rect: drag.rect }) : "";
  if (text !== "") copyText(ports, text);
  return true;
}

/** The right button: the zone's own secondary action (such as who reacted), else the menu. */
function rightClick(ports: Ports, { x, y }: { x: number; y: number }): void {
  const model = ports.store.get();
  if (model.screen.popups.length) return;
  for (const zone of ZONES) {
    const rect = zone.rect(model, ports);
    if (!rect || !isInside(rect, x, y)) continue;
    if (zone === otherHalfZone) {
      switchHalf(ports);
      return rightClick(ports, { x, y });
    }
    if (zone.secondary && !zone.secondary(ports, { x: x - rect.x, y: y - rect.y }))
      HANDLERS[zone === sidebarZone ? "sidebarMenu" : "menu"](ports);
    return;
  }
}

export function handleMouse(ports: Ports, event: MouseEvent): void {
  const { kind, button, x, y } = event;
  if (kind === "drag" && button === 0) return continueDrag(ports, event);
  if (kind === "down" && button === 2) return rightClick(ports, event);
  if (kind === "down" && button === 0) return startDrag(ports, { x, y });
  const { drag, movingBorder } = ports.store.screen;
  const released = kind === "up" && button === 0 && (drag !== undefined || movingBorder !== undefined);
  if (released && endDrag(ports)) return;
  const wheel = kind === "wheelup" ? -1 : kind === "wheeldown" ? 1 : 0;
  if (wheel || released) clickOrScroll(ports, wheel, { x, y });
}

/** A click, or one step of the wheel (`wheel` is −1 or 1, 0 for a click). */
function clickOrScroll(ports: Ports, wheel: number, { x, y }: { x: number; y: number }): void {
  const model = ports.store.get();
  if (model.screen.popups.length) return mouseOnPopup(ports, wheel, { x, y });
  for (const zone of ZONES) {
    const rect = zone.rect(model, ports);
    if (!rect || !isInside(rect, x, y)) continue;
    if (wheel) zone.wheel?.(ports, wheel * WHEEL_ROWS, rect);
    else zone.click(ports, { x: x - rect.x, y: y - rect.y }, rect);
    return;
  }
}
