/** The mouse in a list of messages: a click presses or selects, the wheel scrolls. */
import type { ThreadRef } from "../../../model/state.ts";
import { focused } from "../../screen/moves.ts";
import type { MouseZone } from "../../ports/ports.ts";
import { scrollOf, type Focus } from "../../screen/screen.ts";
import { messageIn } from "../../screen/selectors.ts";
import type { Spot } from "../../render/spots.ts";
import { showAbout } from "../about/about.ts";
import { askAbout } from "../moderation/people.ts";
import type { Acting } from "./acting.ts";
import { feedWindow } from "./feed/feed.ts";
import { GUTTER } from "./feed/feeds.ts";
import { blankAbove, listOf, type Lists } from "./list.ts";
import { fillGap, goTo, scroll } from "./moving.ts";
import { press } from "./pressing.ts";

/** A cell of a list, from its top left. */
interface Cell {
  x: number;
  y: number;
}

/** The message in a row of the list, and the spot under the mouse. */
function pointed(ports: Lists, place: ThreadRef, { x, y }: Cell): { id: string; spot?: Spot } | undefined {
  const { feed, height } = listOf(ports, place);
  const window = feedWindow(feed, height, scrollOf(ports.store.screen, place).anchor);
  const line = window.lines[y - blankAbove(place, window, height)];
  if (!line || !feed.stops(line.index)) return undefined;
  const spot = feed
    .spotsAt(line.index)
    .find((each) => each.row === line.row && x - GUTTER >= each.x && x - GUTTER < each.x + each.cells);
  return { id: line.id, ...(spot && { spot }) };
}

export function clickList(ports: Acting, place: ThreadRef, at: Cell, focus: Focus): void {
  const found = pointed(ports, place, at);
  if (!found) return;
  const message = messageIn(ports.store.state, place, found.id);
  // Who writes goes on writing: what is pressed takes no keys away.
  if (found.spot && message) return press(ports, message, found.spot);
  ports.store.now((s) => focused(s, focus));
  goTo(ports, place, found.id);
  fillGap(ports);
}

/** The right button on a reaction or a mark says who, on a name what can be done about the person; elsewhere the menu follows. */
export function askList(ports: Acting, place: ThreadRef, at: Cell, focus: Focus): boolean {
  const found = pointed(ports, place, at);
  const message = found && messageIn(ports.store.state, place, found.id);
  if (!message) return true;
  const { name } = found.spot ?? {};
  if (name === "react" || name === "about") showAbout(ports, message);
  else if (name === "person") askAbout(ports, message);
  else {
    ports.store.now((s) => focused(s, focus));
    goTo(ports, place, found.id);
    return false;
  }
  return true;
}

export const messagesZone: MouseZone = {
  rect: ({ layout, screen }) => (screen.cid === undefined ? undefined : layout.main),
  click: (ports, at) => clickList(ports, { cid: ports.store.screen.cid! }, at, "messages"),
  secondary: (ports, at) => askList(ports, { cid: ports.store.screen.cid! }, at, "messages"),
  wheel: (ports, rows) => scroll(ports, rows, { cid: ports.store.screen.cid! }),
};
