/** Shows the picture as pixels over the panel, if the terminal can, while nothing covers it. */
import type { Ports } from "../../ports/ports.ts";
import { topPanelOf } from "../../screen/screen.ts";
import type { Reads } from "../../screen/store.ts";
import type { Layer } from "../../terminal/pixel-layer.ts";
import { belowTitle } from "../../screen/layout.ts";
import { pictureBox, pictureRect } from "./place.ts";
import { PICTURE, type PicturePanel } from "../../screen/picture-panel.ts";

type Input = Reads<"notices" | "look" | "layout" | "panels" | "popups" | "completion">;

/** No popup, completion list or notice is open, which the pixels would cover. */
const isFree = ({ screen, notices }: Input): boolean =>
  screen.popups.length === 0 && screen.completion === undefined && notices.length === 0;

function layerOf({ pictures }: Pick<Ports, "pictures">, model: Input): Layer | undefined {
  const panel = topPanelOf<PicturePanel>(model.screen, PICTURE);
  const rect = model.layout.panel;
  if (!panel || !rect || !pictures.drawsPixels || !isFree(model)) return undefined;
  const body = belowTitle(rect);
  const drawn = pictures.drawInPanel(panel.line.picture, pictureBox(body, panel.line));
  return drawn.kind === "bytes" ? { rect: pictureRect(body, drawn.cells), bytes: drawn.bytes } : undefined;
}

/** Returns a function to call after every change of the model. */
export const pixelLayerUpdater =
  (ports: Pick<Ports, "pictures" | "terminal">) =>
  (model: Input): void =>
    ports.terminal.layer(layerOf(ports, model));
