/** The mouse in the sidebar: a click opens a line, the wheel scrolls. */
import type { Rect } from "../../screen/layout.ts";
import { withFocus } from "../../screen/transitions.ts";
import type { Ports, MouseZone } from "../../ports/ports.ts";
import { sidebarOpen } from "./actions.ts";
import { linesOf, listRect, scrolledTop, spacedLines, type SidebarLine } from "./lines.ts";

/** Selects and returns the line under the mouse. */
function selectLineAt({ store }: Pick<Ports, "store">, y: number, rect: Rect): SidebarLine | undefined {
  const list = listRect(rect, store.screen);
  const lines = spacedLines(linesOf(store.get()), list.height);
  const line = lines[scrolledTop(store.screen, lines, list.height) + y - (list.y - rect.y)];
  if (!line || line.kind === "typing" || line.kind === "blank" || y < list.y - rect.y) return undefined;
  const cursor = line.kind === "preview" ? line.cid : line.key;
  store.update((s) => ({ ...s, sidebar: { ...s.sidebar, cursor } }));
  return line;
}

export const sidebarZone: MouseZone = {
  rect: ({ layout }) => layout.sidebar,
  click(ports, { y }, rect) {
    if (selectLineAt(ports, y, rect)) sidebarOpen(ports);
  },
  secondary(ports, { y }) {
    const rect = ports.store.get().layout.sidebar;
    if (!rect) return true;
    ports.store.update((s) => withFocus(s, "sidebar"));
    return selectLineAt(ports, y, rect) === undefined;
  },
  wheel({ store }, rows, rect) {
    const { height } = listRect(rect, store.screen);
    const lines = linesOf(store.get());
    const maxTop = Math.max(0, lines.length - height);
    const top = Math.max(0, Math.min(maxTop, scrolledTop(store.screen, lines, height) + rows));
    store.update((s) => ({ ...s, sidebar: { ...s.sidebar, top } }));
  },
};
