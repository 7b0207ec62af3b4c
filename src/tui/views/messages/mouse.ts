/** The mouse in a list of messages: a click presses or selects, the wheel scrolls. */
import type { ThreadRef } from "../../../model/state.ts";
import { withFocus } from "../../screen/transitions.ts";
import type { MouseZone } from "../../ports/ports.ts";
import { scrollOf, type Focus } from "../../screen/screen.ts";
import { messageIn } from "../../screen/selectors.ts";
import { showAbout } from "../about/about.ts";
import { openAuthorMenu } from "../moderation/person-menu.ts";
import type { MessagePorts } from "./with-message.ts";
import { feedWindow } from "./feed/feed.ts";
import { GUTTER } from "./feed/feeds.ts";
import { blankAbove, listOf, type ListPorts } from "./list.ts";
import { fillGap, moveCursorTo, scroll } from "./navigation.ts";
import { press } from "./press.ts";

/** A cell of a list, from its top left. */
interface Cell {
  x: number;
  y: number;
}

/** The message at a cell of the list, and the spot under the mouse. */
function messageAt(ports: ListPorts, place: ThreadRef, { x, y }: Cell) {
  const { feed, height } = listOf(ports, place);
  const window = feedWindow(feed, height, scrollOf(ports.store.screen, place).anchor);
  const line = window.lines[y - blankAbove(place, window, height)];
  if (!line || !feed.isSelectable(line.index)) return undefined;
  const spot = feed
    .spotsAt(line.index)
    .find((each) => each.row === line.row && x - GUTTER >= each.x && x - GUTTER < each.x + each.cells);
  return { id: line.id, spot };
}

export function clickList(ports: MessagePorts, place: ThreadRef, at: Cell, focus: Focus): void {
  const hit = messageAt(ports, place, at);
  if (!hit) return;
  const message = messageIn(ports.store.state, place, hit.id);
  // Pressing a spot leaves the focus in the composer.
  if (hit.spot && message) return press(ports, message, hit.spot);
  ports.store.update((s) => withFocus(s, focus));
  moveCursorTo(ports, place, hit.id);
  fillGap(ports);
}

/** Right click: a reaction or mark shows who, a name opens the menu of the person. Elsewhere false: the caller opens the message's menu. */
export function rightClickList(ports: MessagePorts, place: ThreadRef, at: Cell, focus: Focus): boolean {
  const hit = messageAt(ports, place, at);
  const message = hit && messageIn(ports.store.state, place, hit.id);
  if (!message) return true;
  const { name } = hit.spot ?? {};
  if (name === "react" || name === "about") showAbout(ports, message);
  else if (name === "person") openAuthorMenu(ports, message);
  else {
    ports.store.update((s) => withFocus(s, focus));
    moveCursorTo(ports, place, hit.id);
    return false;
  }
  return true;
}

export const messagesZone: MouseZone = {
  rect: ({ layout, screen }) => (screen.cid === undefined ? undefined : layout.main),
  click: (ports, at) => clickList(ports, { cid: ports.store.screen.cid! }, at, "messages"),
  secondary: (ports, at) => rightClickList(ports, { cid: ports.store.screen.cid! }, at, "messages"),
  wheel: (ports, rows) => scroll(ports, rows, { cid: ports.store.screen.cid! }),
};
