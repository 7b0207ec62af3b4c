/** The mouse in the right panel, passed on to the thread or list it shows. */
import type { ThreadRef } from "../../../model/state.ts";
import type { Ports, MouseZone } from "../../ports/ports.ts";
import { topPanel } from "../../screen/screen.ts";
import { filesPanel, selectFile } from "../channel-files/actions.ts";
import { clickFiles } from "../channel-files/mouse.ts";
import { clickEntry, wheelList } from "../lists/mouse.ts";
import { membersPanel, selectMember } from "../members/actions.ts";
import { clickMembers } from "../members/mouse.ts";
import { rightClickList, clickList } from "../messages/mouse.ts";
import { scroll } from "../messages/navigation.ts";
import { pictureActions } from "../picture/actions.ts";

function threadIn({ store }: Pick<Ports, "store">): ThreadRef | undefined {
  const panel = topPanel(store.screen);
  return panel?.kind === "thread" ? { cid: panel.cid, parentId: panel.parentId } : undefined;
}

export const panelZone: MouseZone = {
  rect: ({ layout }) => layout.panel,
  click(ports, { x, y }, rect) {
    if (membersPanel(ports)) return clickMembers(ports, y, rect);
    if (filesPanel(ports)) return clickFiles(ports, y, rect);
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
    if (membersPanel(ports)) return selectMember(ports, (at) => at + Math.sign(rows));
    if (filesPanel(ports)) return selectFile(ports, (selected) => selected + Math.sign(rows));
    const { kind } = topPanel(ports.store.screen) ?? {};
    if (kind === "list") return wheelList(ports, rows);
    if (kind === "picture") return pictureActions[rows > 0 ? "pictureNext" : "picturePrevious"](ports);
    const thread = threadIn(ports);
    if (thread) scroll(ports, rows, thread);
  },
};
