/** The mouse in a list of messages: a click puts the cursor on a message, the wheel scrolls. */
import type { ThreadRef } from "../../../model/state.ts";
import { focused } from "../../screen/moves.ts";
import type { Zone } from "../../screen/ports.ts";
import { viewOf } from "../../screen/screen.ts";
import type { Focus } from "../../screen/screen.ts";
import { feedWindow } from "./feed.ts";
import { listOf } from "./list.ts";
import type { Lists } from "./list.ts";
import { goTo, scroll } from "./moving.ts";

/** `row` from the top of the list. */
export function clickList(ports: Lists, place: ThreadRef, row: number, focus: Focus): void {
  const { feed, height } = listOf(ports, place);
  const line = feedWindow(feed, height, viewOf(ports.store.screen, place).anchor).lines[row];
  if (!line || !feed.stops(line.index)) return;
  ports.store.now((s) => focused(s, focus));
  goTo(ports, place, line.id);
}

export const messagesZone: Zone = {
  rect: ({ layout, screen }) => (screen.cid === undefined ? undefined : layout.main),
  click: (ports, { y }) => clickList(ports, { cid: ports.store.screen.cid! }, y, "messages"),
  wheel: (ports, rows) => scroll(ports, rows, { cid: ports.store.screen.cid! }),
};
