/** The picture viewer in the panel. */
import { memo, useMemo } from "react";
import { words } from "../../../text/words.ts";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { Rect } from "../../screen/layout.ts";
import { picturesIn } from "./channel-pictures.ts";
import { pictureBox } from "./place.ts";
import { pictureRows } from "./rows.ts";
import { openAddress } from "../../ports/open-address.ts";
import { titleInChannel, type PanelAction, type PanelDefinition } from "../../ports/panels.ts";
import { panelsChanged } from "../../screen/screen.ts";
import { messageIn } from "../../screen/selectors.ts";
import { saveMessageFiles } from "../files/save-files.ts";
import { jumpBeside } from "../messages/jump.ts";
import { showMessage, step } from "./actions.ts";
import { PICTURE, type PicturePanel } from "../../screen/picture-panel.ts";

const PictureView = memo(({ panel, rect }: { panel: PicturePanel; rect: Rect }) => {
  const { pictures } = usePorts();
  const look = useLook();
  const entry = useModel(["state"], ({ state }) => state.channels.get(panel.cid));
  const place = useMemo(() => {
    const { lines, at } = picturesIn(entry, panel);
    const whole = panel.found.length > 0 && panel.next === undefined;
    return at < 0 ? "" : words.pictures.place(at + 1, lines.length, whole);
  }, [entry, panel]);
  const drawn = useMemo((): DrawnRows => {
    const { theme, utc } = look;
    const { line } = panel;
    const picture = pictures.drawInPanel(line.picture, pictureBox(rect, line));
    return { rect, rows: pictureRows({ line, place, drawn: picture, body: rect, theme, utc }) };
  }, [pictures, look, panel, rect, place]);
  return <Rows drawn={drawn} />;
});

const move =
  (by: 1 | -1): PanelAction<PicturePanel>["run"] =>
  (ports, panel) =>
    step(ports, panel, by);

const actions = {
  previous: {
    title: "Previous picture",
    hint: "previous",
    former: "picturePrevious",
    letter: "moves",
    keys: ["left", "up", "k", "pageup", "h"],
    emacs: ["p", "C-p"],
    run: move(-1),
  },
  next: {
    title: "Next picture of the channel",
    hint: "next",
    former: "pictureNext",
    letter: "moves",
    keys: ["right", "down", "j", "pagedown", "l"],
    emacs: ["n", "C-n"],
    run: move(1),
  },
  open: {
    title: "Open the picture outside the terminal",
    hint: "open",
    former: "pictureOpen",
    letter: "outside",
    keys: ["o"],
    run: (ports, { line }) => openAddress(ports, line.picture.url, line.picture.file),
  },
  save: {
    title: "Save the picture",
    hint: "save",
    former: "pictureSave",
    letter: "outside",
    keys: ["O"],
    run: (ports, { line: { picture } }) =>
      saveMessageFiles(ports, [{ url: picture.url, name: picture.file }]),
  },
  fill: {
    title: "Fill the window with the picture, or only the place of the messages",
    hint: "window",
    keywords: "fullscreen full screen zoom large bigger whole",
    keys: ["z"],
    run: ({ store }, panel) =>
      store.update((s) =>
        panelsChanged<PicturePanel>(s, panel, (one) => ({
          ...one,
          fills: one.fills === "window" ? "messages" : "window",
        })),
      ),
  },
  jump: {
    title: "Go to its message",
    hint: "message",
    former: "pictureJump",
    keys: ["enter", "m"],
    run: (ports, { cid, line }) => jumpBeside(ports, cid, line),
  },
  message: {
    title: "Show its whole message in the panel",
    hint: "text",
    former: "pictureMessage",
    keys: ["v"],
    applies: ({ state }, { cid, line: { id, parentId } }) =>
      messageIn(state, { cid, ...(parentId !== undefined && { parentId }) }, id) !== undefined,
    run: showMessage,
  },
} satisfies Record<string, PanelAction<PicturePanel>>;

export const pictureDefinition: PanelDefinition<PicturePanel> = {
  name: PICTURE,
  section: "Viewing a picture",
  title: (model, { cid }, me) => titleInChannel(model, words.panels.picture, cid, me),
  Body: PictureView,
  actions,
  copies: "found",
  wheel: (ports, panel, rows) => step(ports, panel, rows > 0 ? 1 : -1),
};
