/** The mouse in the right panel, passed on to the thread or list it shows. */
import type { ThreadRef } from "../../../model/state.ts";
import type { Ports, MouseZone } from "../../ports/ports.ts";
import { openPanelIn } from "../../ports/panels.ts";
import { belowTitle } from "../../screen/layout.ts";
import { topPanel } from "../../screen/screen.ts";
import { clickEntry, wheelList } from "../lists/mouse.ts";
import { rightClickList, clickList } from "../messages/mouse.ts";
import { scroll } from "../messages/navigation.ts";

function threadIn({ store }: Pick<Ports, "store">): ThreadRef | undefined {
  const panel = topPanel(store.screen);
  return panel?.kind === "thread" ? { cid: panel.cid, parentId: panel.parentId } : undefined;
}

export const panelZone: MouseZone = {
  rect: ({ layout }) => layout.panel,
  click(ports, { x, y }, rect) {
    const own = openPanelIn(ports.store.screen);
    if (own) {
      if (y > 0) own.of.click?.(ports, own.panel, { x, y: y - 1 }, belowTitle(rect));
      return;
    }
    const panel = topPanel(ports.store.screen);
    if (panel?.kind === "list") return clickEntry(ports, panel.list, rect, y);
    const thread = threadIn(ports);
    if (thread) clickList(ports, thread, { x, y: y - 1 }, "panel");
  },
  secondary(ports, { x, y }) {
    const thread = threadIn(ports);
    return !thread || rightClickList(ports, thread, { x, y: y - 1 }, "panel");
  },
  wheel(ports, rows) {
    const own = openPanelIn(ports.store.screen);
    if (own) return own.of.wheel?.(ports, own.panel, rows);
    const { kind } = topPanel(ports.store.screen) ?? {};
    if (kind === "list") return wheelList(ports, rows);
    const thread = threadIn(ports);
    if (thread) scroll(ports, rows, thread);
  },
};
