/** Chooses the panel that shows a message in full: the map of a location, its picture, else its text. */
import { pictureLines } from "../../../model/pictures.ts";
import type { HeldMessage } from "../../../model/state.ts";
import { fileFacts } from "../../render/cards.ts";
import { picturePanel } from "../../screen/picture-panel.ts";
import { mapPanel } from "../map/actions.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Panel } from "../../screen/screen.ts";

export function panelForMessage(
  { pictures, store }: Pick<Ports, "pictures" | "store">,
  message: HeldMessage,
): Panel {
  const { cid } = message;
  const map = mapPanel(store, message);
  if (map) return map;
  const [line] = pictures.draws ? pictureLines(message, fileFacts) : [];
  if (!line || message.type === "deleted") return { kind: "message", cid, message };
  pictures.retry(line.picture);
  return picturePanel(cid, line);
}
