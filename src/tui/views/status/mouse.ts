/** The mouse on the header, the status line and notices. */
import { membersPane } from "../members/members.ts";
import { channelTitle } from "../../../model/channels.ts";
import { cellWidth, plain } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { detailsPanel } from "../../screen/screen.ts";
import { openPanel } from "../../navigation/open-channel.ts";
import { openEntry } from "../../screen/selectors.ts";
import { openNotice } from "../lists/reminders.ts";
import { noticesIn } from "./notice-place.ts";
import { openPastNotices } from "./past-notices.ts";
import type { MouseZone } from "../../ports/ports.ts";
import { askToStop } from "../map/share-location.ts";
import { openUnsent } from "../popup/unsent.ts";

/** A click on the unsent count opens the list; on the location label it asks to stop sharing. */
export const statusZone: MouseZone = {
  rect: ({ layout }) => layout.status,
  click(ports, { x }, rect) {
    const row = plain(ports.drawnPanes.at(rect.x, rect.y)?.rows[0] ?? "");
    const columnOf = (text: string): number => {
      const at = row.lastIndexOf(text);
      return at < 0 ? Infinity : cellWidth(row.slice(0, at));
    };
    const unsent = columnOf(words.status.unsent(ports.store.state.outbox));
    if (x >= unsent) openUnsent(ports);
    else if (x >= columnOf(` ${words.map.sharing.label} `)) askToStop(ports);
  },
};

/** A click closes a notice and, for a due reminder, goes to its message; on the number of the others it shows all. */
export const noticesZone: MouseZone = {
  rect: (model, ports) => noticesIn(model, ports)?.rect,
  click(ports, { y }) {
    const { owners = [] } = noticesIn(ports.store.get(), ports) ?? {};
    const notice = owners[y];
    if (notice) openNotice(ports, notice);
    else if (y < owners.length) openPastNotices(ports);
  },
};

/** A click on the title opens the channel details; on the numbers after it, the members. */
export const headerZone: MouseZone = {
  rect: ({ layout }) => layout.header,
  click(ports, { x }, { width }) {
    const entry = openEntry(ports.store.get());
    if (!entry || x > width / 2) return;
    const isAfterTitle = x > cellWidth(channelTitle(entry, ports.core.userId)) + 2;
    if (isAfterTitle) membersPane.show(ports);
    else openPanel(ports, detailsPanel(entry.cid));
  },
};
