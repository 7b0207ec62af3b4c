/** The mouse in the sidebar: a click opens a line, the wheel moves the lines. */
import type { Zone } from "../../screen/ports.ts";
import { sidebarOpen } from "./actions.ts";
import { linesOf, shownTop } from "./lines.ts";

export const sidebarZone: Zone = {
  rect: ({ layout }) => layout.sidebar,
  click(ports, { y }, rect) {
    const { store } = ports;
    const lines = linesOf(store.get());
    const line = lines[shownTop(store.screen, lines, rect.height) + y];
    if (!line || line.kind === "typing") return;
    store.now((s) => ({ ...s, sidebar: { ...s.sidebar, cursor: line.key } }));
    sidebarOpen(ports);
  },
  wheel({ store }, rows, rect) {
    const lines = linesOf(store.get());
    const most = Math.max(0, lines.length - rect.height);
    const top = Math.max(0, Math.min(most, shownTop(store.screen, lines, rect.height) + rows));
    store.now((s) => ({ ...s, sidebar: { ...s.sidebar, top } }));
  },
};
