/** The links and files of the messages in view, in their order on the screen. */
import type { ThreadRef } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import { listPane, type ChannelListState } from "../../components/list-pane.tsx";
import { openAddress } from "../../ports/open-address.ts";
import type { Ports } from "../../ports/ports.ts";
import { belowTitle, type Rect } from "../../screen/layout.ts";
import { panelPlace } from "../../screen/screen.ts";
import { messageIn } from "../../screen/selectors.ts";
import { copyText } from "../messages/actions.ts";
import { jumpBeside } from "../messages/jump.ts";
import { windowIn } from "../messages/list.ts";
import { fileRows } from "./files.ts";
import { fileLinesOf, type FileLine } from "./lines.ts";

interface LinksPanel extends ChannelListState {
  /** As they were in view when the list was opened, which may cover the messages. */
  readonly lines: readonly FileLine[];
}

/** The messages with a row in this rectangle, from above. */
function linesIn(ports: Pick<Ports, "store" | "feeds">, place: ThreadRef, rect: Rect): FileLine[] {
  const model = ports.store.get();
  const ids = new Set(windowIn(model, ports.feeds, place, rect).lines.map(({ id }) => id));
  return [...ids].flatMap((id) => {
    const message = messageIn(model.state, place, id);
    return message && message.type !== "deleted" ? fileLinesOf(message) : [];
  });
}

/** Those of the messages, then those of a thread beside them. */
function linksInView(ports: Pick<Ports, "store" | "feeds">, cid: string): FileLine[] {
  const { screen, layout } = ports.store.get();
  const thread = panelPlace(screen);
  const all = [
    ...(layout.main ? linesIn(ports, { cid }, layout.main) : []),
    ...(thread && layout.panel ? linesIn(ports, thread, belowTitle(layout.panel)) : []),
  ];
  return [...new Map(all.map((line) => [`${line.id} ${line.url}`, line])).values()];
}

export const linksPane = listPane<FileLine, LinksPanel>({
  name: "links",
  section: "In the list of links",
  title: words.panels.links,
  show: {
    title: "Links in view: open, copy or find one",
    keywords: "urls addresses list visible files",
  },
  open: (cid) => ({ name: "links", key: cid, cid, lines: [] }),
  begin: (ports, panel) => ({ ...panel, lines: linksInView(ports, panel.cid) }),
  items: (_, { lines }) => lines,
  keyOf: ({ id, url }) => `${id} ${url}`,
  rowsPerItem: 2,
  rows: fileRows,
  footer: (_model, _panel, { length }) => (length === 0 ? words.files.noLinks : undefined),
  choose: {
    title: "Open the link",
    hint: "open",
    letter: "outside",
    run: (ports, { url, file }) => openAddress(ports, url, file?.name),
  },
  actions: {
    copy: {
      title: "Copy the address",
      hint: "copy",
      letter: "outside",
      keys: ["y"],
      run: (ports, { url }) => copyText(ports, url),
    },
    jump: {
      title: "Go to its message",
      hint: "message",
      keys: ["m"],
      run: (ports, line, { cid }) => jumpBeside(ports, cid, line),
    },
  },
});
