/** The mouse in a list: a click opens an entry, the wheel moves the cursor. */
import { withFocus } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import type { ListName } from "../../screen/screen.ts";
import type { Rect } from "../../screen/layout.ts";
import { openUnderCursor } from "./actions.ts";
import { listSelection, setCursor, moveCursorBy } from "./cursor.ts";
import { entryAtRow } from "./pane.ts";

/** `row` from the top of the panel. */
export function clickEntry(ports: Ports, list: ListName, rect: Rect, row: number): void {
  const { store } = ports;
  const index = entryAtRow(store.get(), list, rect, row);
  store.update((s) => withFocus(s, "panel"));
  const selection = listSelection(ports);
  if (!selection || index === undefined) return;
  setCursor(ports, selection, index);
  openUnderCursor(ports);
}

export function wheelList(ports: Ports, rows: number): void {
  ports.store.update((s) => withFocus(s, "panel"));
  moveCursorBy(Math.sign(rows))(ports);
}
