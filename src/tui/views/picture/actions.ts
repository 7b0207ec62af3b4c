/** Actions of the picture panel, and the switch between the ways of drawing pictures. */
import type { PictureLine } from "../../../model/pictures.ts";
import { words } from "../../../text/words.ts";
import { openPanel } from "../../navigation/open-channel.ts";
import { panelChanged } from "../../screen/transitions.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { topPanelOf, type PicturePanel } from "../../screen/screen.ts";
import { messageIn } from "../../screen/selectors.ts";
import { showError, showNotice } from "../../screen/notices.ts";
import { findFiles } from "../channel-files/actions.ts";
import { saveMessageFiles } from "../files/save-files.ts";
import { openAddress } from "../../ports/open-address.ts";
import { jumpBeside } from "../messages/jump.ts";
import { picturesIn } from "./channel-pictures.ts";

const panelOf = ({ store }: Pick<Ports, "store">): PicturePanel | undefined =>
  topPanelOf(store.screen, "picture");

const updatePanel = (
  { store }: Pick<Ports, "store">,
  cid: string,
  next: (panel: PicturePanel) => PicturePanel,
): void =>
  store.update((s) => panelChanged(s, "picture", (panel) => (panel.cid === cid ? next(panel) : panel)));

function show(ports: Ports, { cid }: PicturePanel, line: PictureLine): void {
  ports.pictures.retry(line.picture);
  updatePanel(ports, cid, (panel) => ({ ...panel, line }));
}

/** Loads older messages with files, page by page until a picture is found, and shows it. */
async function showOlder(ports: Ports, panel: PicturePanel): Promise<void> {
  const { cid } = panel;
  updatePanel(ports, cid, (one) => ({ ...one, loading: true }));
  try {
    for (
      let { next, found } = panel, first = found.length === 0;
      first || next !== undefined;
      first = false
    ) {
      const page = await findFiles(ports.core, cid, next);
      found = [...found, ...page.found];
      ({ next } = page);
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

const step =
  (by: 1 | -1): Action =>
  (ports) => {
    const panel = panelOf(ports);
    if (!panel) return;
    const { lines, at } = picturesIn(ports.store.state.channels.get(panel.cid), panel);
    const line = at < 0 ? lines.at(-1) : lines[at + by];
    if (line) show(ports, panel, line);
    else if (by > 0) showNotice(ports, words.pictures.newest);
    else if (!panel.loading) void showOlder(ports, panel);
  };

const withPicture =
  (act: (ports: Ports, panel: PicturePanel) => void): Action =>
  (ports) => {
    const panel = panelOf(ports);
    if (panel) act(ports, panel);
  };

/** Shows the picture's message in full. */
function showMessage(ports: Ports, { cid, line: { id, parentId } }: PicturePanel): void {
  const message = messageIn(ports.store.state, { cid, ...(parentId !== undefined && { parentId }) }, id);
  if (message) openPanel(ports, { kind: "message", cid, message });
}

/** Cycles between the configured way, half blocks and none. */
const switchPictures: Action = (ports) => showNotice(ports, ports.pictures.next());

export const pictureActions = {
  pictures: switchPictures,
  pictureNext: step(1),
  picturePrevious: step(-1),
  pictureOpen: withPicture((ports, { line }) => openAddress(ports, line.picture.url, line.picture.file)),
  pictureSave: withPicture((ports, { line: { picture } }) =>
    saveMessageFiles(ports, [{ url: picture.url, name: picture.file }]),
  ),
  pictureJump: withPicture((ports, { cid, line }) => jumpBeside(ports, cid, line)),
  pictureMessage: withPicture(showMessage),
} satisfies Record<string, Action>;
