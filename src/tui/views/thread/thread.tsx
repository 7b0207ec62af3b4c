/** A thread in the panel. */
import { memo } from "react";
import { cidTitle } from "../../../model/channels.ts";
import { count, words } from "../../../text/words.ts";
import type { PanelDefinition } from "../../ports/panels.ts";
import type { Rect } from "../../screen/layout.ts";
import { THREAD, type ThreadPanel } from "../../screen/screen.ts";
import { threadParent } from "../../screen/selectors.ts";
import { fitsBelow } from "../messages/list.ts";
import { MessageList } from "../messages/messages.tsx";
import { clickList, rightClickList } from "../messages/mouse.ts";
import { scroll } from "../messages/navigation.ts";

const Thread = memo(({ panel: { place }, rect }: { panel: ThreadPanel; rect: Rect }) => (
  <MessageList rect={rect} cid={place.cid} parentId={place.parentId} focus="panel" />
));

/** Its keys are those of browsing. */
export const threadDefinition: PanelDefinition<ThreadPanel> = {
  name: THREAD,
  place: "browse",
  mode: "BROWSE",
  title(model, { place: { cid, parentId } }) {
    const parent = threadParent(model, cid, parentId);
    const replies = parent ? ` · ${count(parent.reply_count, "reply", "replies")}` : "";
    return `${words.panels.thread}${replies}`;
  },
  /** Its channel, unless that is visible beside it. */
  crumb: ({ state, screen, layout }, { cid }) =>
    layout.beside && cid === screen.cid ? "" : cidTitle(state, cid),
  Body: Thread,
  actions: {},
  click: (ports, { place }, at) => clickList(ports, place, at, "panel"),
  secondary: (ports, { place }, at) => rightClickList(ports, place, at, "panel"),
  wheel: (ports, { place }, rows) => scroll(ports, rows, place),
  fitsBelow: ({ feeds }, { place }, model, body, rows) =>
    fitsBelow(model, feeds, place, body, Math.max(1, rows - 1)),
};
