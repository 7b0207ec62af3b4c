/** The mouse on the first and the last line and on notices: what is counted or told opens what it is about. */
import { channelTitle } from "../../../model/channels.ts";
import { cellWidth } from "../../../text/width.ts";
import { openPanel } from "../../navigation/opening.ts";
import { openEntry } from "../../screen/selectors.ts";
import { openNotice } from "../lists/reminding.ts";
import type { KeyTable } from "../../keys/lookup.ts";
import type { Model } from "../../screen/store.ts";
import { drawNotices, noticePane } from "./notice-rows.ts";
import type { DrawnNotices } from "./notice-rows.ts";
import type { Zone } from "../../screen/ports.ts";
import { askToStop, sharingWords } from "../map/sharing.ts";
import { openUnsent } from "../popup/actions.ts";

/** Cells that say that the own location is shared, left of the others. */
const SHARING = 40;
/** Cells at the right that say how sending and the connection stand. */
const RIGHT = 32;

export const statusZone: Zone = {
  rect: ({ layout }) => layout.status,
  click(ports, { x }, rect) {
    const { lists, now } = ports.store.get();
    const sharing = sharingWords(lists.locations, now) !== "";
    if (sharing && x >= rect.width - RIGHT - SHARING) return askToStop(ports);
    if (ports.store.state.outbox > 0 && x >= rect.width - RIGHT) openUnsent(ports);
  },
};

const noticesIn = ({ state, look, layout }: Model, table: KeyTable): DrawnNotices | undefined =>
  drawNotices(state.notices, { theme: look.theme, pane: noticePane(layout), table });

/** A click closes a notice, and goes to the message where one is due. */
export const noticesZone: Zone = {
  rect: (model, { keys }) => noticesIn(model, keys)?.rect,
  click(ports, { y }) {
    const notice = noticesIn(ports.store.get(), ports.keys)?.owners[y];
    if (notice) openNotice(ports, notice);
  },
};

/** The title opens the details of the channel, the numbers behind it its members. */
export const headerZone: Zone = {
  rect: ({ layout }) => layout.header,
  click(ports, { x }, { width }) {
    const entry = openEntry(ports.store.get());
    if (!entry || x > width / 2) return;
    const behind = x > cellWidth(channelTitle(entry, ports.core.userId)) + 2;
    openPanel(ports, { kind: behind ? "members" : "details", cid: entry.cid });
  },
};
