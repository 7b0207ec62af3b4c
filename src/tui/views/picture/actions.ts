/** What the keys of the picture viewer do, and the switch between the ways of drawing pictures. */
import type { PictureLine } from "../../../model/pictures.ts";
import { LocalError } from "../../../model/errors.ts";
import { PageWalk, SAME_PAGE } from "../../../model/page-walk.ts";
import { words } from "../../../text/words.ts";
import { openPanel } from "../../navigation/open-channel.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { panelsChanged, topPanelOf } from "../../screen/screen.ts";
import { messageIn } from "../../screen/selectors.ts";
import { showError, showNotice } from "../../screen/notices.ts";
import { findFiles } from "../channel-files/lines.ts";
import { messagePanel } from "../messages/full-message.ts";
import { picturesIn } from "./channel-pictures.ts";
import { itemName } from "../../../wire/reading.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { PICTURE, pictureOpened, type PicturePanel } from "../../screen/picture-panel.ts";

const panelOf = ({ store }: Pick<Ports, "store">): PicturePanel | undefined =>
  topPanelOf(store.screen, PICTURE);

const updatePanel = (
  { store }: Pick<Ports, "store">,
  key: string,
  next: (panel: PicturePanel) => PicturePanel,
): void => store.update((s) => panelsChanged(s, { name: PICTURE, key }, next));

function show(ports: Ports, { cid }: PicturePanel, line: PictureLine): void {
  pictureOpened(ports, line.picture);
  updatePanel(ports, cid, (panel) => ({ ...panel, line }));
}

/** Loads older messages with files, page by page until a picture is found, and shows it. */
async function showOlder(ports: Ports, panel: PicturePanel): Promise<void> {
  const { cid } = panel;
  updatePanel(ports, cid, (one) => ({ ...one, loading: true }));
  const walk = new PageWalk<Message>(itemName("messages"), panel.next);
  walk.take(panel.found);
  try {
    for (
      let { next, found } = panel, first = found.length === 0;
      first || next !== undefined;
      first = false
    ) {
      const page = await findFiles(ports.core, cid, next);
      const turn = walk.take(page.found, page.next);
      found = [...found, ...turn.fresh];
      ({ next } = turn);
      if (turn.isStuck) showError(ports, new LocalError(SAME_PAGE));
      updatePanel(ports, cid, ({ next: _next, ...one }) => ({
        ...one,
        found,
        ...(next !== undefined && { next }),
      }));
      const current = panelOf(ports);
      // The user has moved to another picture meanwhile.
      if (current?.line !== panel.line) return;
      const { lines, at } = picturesIn(ports.store.state.channels.get(cid), current);
      if (at > 0) return show(ports, current, lines[at - 1]!);
    }
    showNotice(ports, words.pictures.oldest);
  } catch (error) {
    showError(ports, error);
  } finally {
    updatePanel(ports, cid, (one) => ({ ...one, loading: false }));
  }
}

export function step(ports: Ports, panel: PicturePanel, by: 1 | -1): void {
  const { lines, at } = picturesIn(ports.store.state.channels.get(panel.cid), panel);
  const line = at < 0 ? lines.at(-1) : lines[at + by];
  if (line) show(ports, panel, line);
  else if (by > 0) showNotice(ports, words.pictures.newest);
  else if (!panel.loading) void showOlder(ports, panel);
}

/** Shows the picture's message in full. */
export function showMessage(ports: Ports, { cid, line: { id, parentId } }: PicturePanel): void {
  const message = messageIn(ports.store.state, { cid, ...(parentId !== undefined && { parentId }) }, id);
  if (message) openPanel(ports, messagePanel(message));
}

/** Cycles between the configured way, half blocks and none. */
const switchPictures: Action = (ports) => showNotice(ports, ports.pictures.next());

export const pictureActions = { pictures: switchPictures } satisfies Record<string, Action>;
