/** The mouse in the right panel, passed on to what it shows. */
import type { MouseZone, Ports } from "../../ports/ports.ts";
import { openPanelIn } from "../../ports/panels.ts";
import { belowTitle } from "../../screen/layout.ts";
import { cidAside, detailsPanel } from "../../screen/screen.ts";
import { panelPushed } from "../../screen/transitions.ts";

/** Details that nobody asked for become a panel like others with the first click or turn of the wheel. */
function keepAside({ store }: Pick<Ports, "store">): void {
  const cid = cidAside(store.screen);
  if (cid !== undefined) store.update((s) => panelPushed(s, detailsPanel(cid)));
}

export const panelZone: MouseZone = {
  rect: ({ layout }) => layout.panel,
  click(ports, { x, y }, rect) {
    keepAside(ports);
    const own = openPanelIn(ports.store.screen);
    if (y > 0) own?.of.click?.(ports, own.panel, { x, y: y - 1 }, belowTitle(rect));
  },
  secondary(ports, { x, y }) {
    const own = openPanelIn(ports.store.screen);
    return own?.of.secondary?.(ports, own.panel, { x, y: y - 1 }) ?? true;
  },
  wheel(ports, rows) {
    keepAside(ports);
    const own = openPanelIn(ports.store.screen);
    own?.of.wheel?.(ports, own.panel, rows);
  },
};
