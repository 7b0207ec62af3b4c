/** Lets one picture move while it is selected: the one that is viewed, else that of the message under the cursor. */
import { mayMove, pictureOf, type Picture } from "../../model/pictures.ts";
import type { MovingPicture } from "../pictures/drawing.ts";
import type { Ports } from "../ports/ports.ts";
import { PICTURE, type PicturePanel } from "../screen/picture-panel.ts";
import { topPanelOf } from "../screen/screen.ts";
import { selectedIn } from "../screen/selectors.ts";
import type { Model } from "../screen/store.ts";

/** What may select another one. */
export const ANIMATION_SLICES = ["panels", "focus", "popups", "views", "cid", "windowFocused"] as const;

const movingIn = (picture: Picture, where: "stream" | "panel"): MovingPicture | undefined =>
  mayMove(picture) ? { url: where === "panel" ? picture.url : picture.thumb, where } : undefined;

function movingPicture(model: Model): MovingPicture | undefined {
  const { screen } = model;
  const { focus, popups, windowFocused } = screen;
  // Nobody looks at it, or a popup is about something else.
  if (!windowFocused || popups.length > 0 || (focus !== "messages" && focus !== "panel")) return undefined;
  const viewed = topPanelOf<PicturePanel>(screen, PICTURE);
  if (viewed && focus === "panel") return movingIn(viewed.line.picture, "panel");
  for (const attachment of selectedIn(model)?.attachments ?? []) {
    const picture = pictureOf(attachment);
    // Only the first one is drawn.
    if (picture) return movingIn(picture, "stream");
  }
  return undefined;
}

/** Returns a function to call after every change of those slices. */
export const pictureMover =
  ({ store, pictures }: Pick<Ports, "store" | "pictures">) =>
  (): void =>
    pictures.play(movingPicture(store.get()));
