/** The mouse in the right panel, passed on to what it shows. */
import type { MouseZone } from "../../ports/ports.ts";
import { openPanelIn } from "../../ports/panels.ts";
import { belowTitle } from "../../screen/layout.ts";

export const panelZone: MouseZone = {
  rect: ({ layout }) => layout.panel,
  click(ports, { x, y }, rect) {
    const own = openPanelIn(ports.store.screen);
    if (y > 0) own?.of.click?.(ports, own.panel, { x, y: y - 1 }, belowTitle(rect));
  },
  secondary(ports, { x, y }) {
    const own = openPanelIn(ports.store.screen);
    return own?.of.secondary?.(ports, own.panel, { x, y: y - 1 }) ?? true;
  },
  wheel(ports, rows) {
    const own = openPanelIn(ports.store.screen);
    own?.of.wheel?.(ports, own.panel, rows);
  },
};
