/** The mouse on the title line, the status line and notices: a click opens what they are about. */
import { openMembers } from "../members/actions.ts";
import { channelTitle } from "../../../model/channels.ts";
import { cellWidth, plain } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { openPanel } from "../../navigation/opening.ts";
import { openEntry } from "../../screen/selectors.ts";
import { openNotice } from "../lists/reminders.ts";
import { noticesIn } from "./notice-place.ts";
import type { MouseZone } from "../../ports/ports.ts";
import { askToStop } from "../map/share-location.ts";
import { openUnsent } from "../popup/unsent.ts";

/** The right end says that the own location is shared, and then how many messages are unsent. */
export const statusZone: MouseZone = {
  rect: ({ layout }) => layout.status,
  click(ports, { x }, rect) {
    const row = plain(ports.drawnPanes.at(rect.x, rect.y)?.rows[0] ?? "");
    const from = (text: string): number => {
      const at = row.lastIndexOf(text);
      return at < 0 ? Infinity : cellWidth(row.slice(0, at));
    };
    const unsent = from(words.status.unsent(ports.store.state.outbox));
    if (x >= unsent) openUnsent(ports);
    else if (x >= from(` ${words.map.sharing.label} `)) askToStop(ports);
  },
};

/** A click closes a notice, and goes to the message where one is due. */
export const noticesZone: MouseZone = {
  rect: (model, ports) => noticesIn(model, ports)?.rect,
  click(ports, { y }) {
    const notice = noticesIn(ports.store.get(), ports)?.owners[y];
    if (notice) openNotice(ports, notice);
  },
};

/** The title opens the details of the channel, the numbers behind it its members. */
export const headerZone: MouseZone = {
  rect: ({ layout }) => layout.header,
  click(ports, { x }, { width }) {
    const entry = openEntry(ports.store.get());
    if (!entry || x > width / 2) return;
    const behind = x > cellWidth(channelTitle(entry, ports.core.userId)) + 2;
    if (behind) openMembers(ports);
    else openPanel(ports, { kind: "details", cid: entry.cid });
  },
};
