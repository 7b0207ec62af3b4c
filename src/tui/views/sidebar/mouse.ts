/** The mouse in the sidebar: a click opens a line, the wheel scrolls. */
import type { Rect } from "../../screen/layout.ts";
import { withFocus } from "../../screen/transitions.ts";
import type { Ports, MouseZone } from "../../ports/ports.ts";
import { sidebarOpen } from "./actions.ts";
import { listRect, windowOf, type SidebarLine } from "./lines.ts";

/** Selects and returns the line under the mouse. */
function selectLineAt({ store }: Pick<Ports, "store">, y: number, rect: Rect): SidebarLine | undefined {
  const list = listRect(rect, store.screen);
  const { views, channels, top, height } = windowOf(store.get(), rect);
  const row = y - (list.y - rect.y);
  const line = [...views, ...channels.slice(top, top + height)][row];
  if (!line || line.kind === "typing" || line.kind === "blank" || line.kind === "note") return undefined;
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
    const { channels, height, top: before } = windowOf(store.get(), rect);
    const top = Math.max(0, Math.min(channels.length - height, before + rows));
    store.update((s) => ({ ...s, sidebar: { ...s.sidebar, top } }));
  },
};
