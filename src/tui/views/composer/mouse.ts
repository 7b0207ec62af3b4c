/** The mouse in the composer: a click places the cursor, or removes a file or the preview of a link. */
import { moveTo } from "../../editor/state.ts";
import { withFocus } from "../../screen/transitions.ts";
import type { MouseZone } from "../../ports/ports.ts";
import { clickedChip } from "./chips.ts";
import { clickedCross } from "./link-rows.ts";
import { composerContext } from "./composer-context.ts";
import { layouter, rowAt, textLayout } from "./rows.ts";
import { retryUpload, removeFile, removePreview } from "./uploads.ts";

export const composerZone: MouseZone = {
  rect: ({ layout }) => layout.composer,
  click(ports, { x, y }, rect) {
    const { store, boxes } = ports;
    store.update((s) => withFocus(s, "composer"));
    const box = boxes.at();
    const { width, height } = rect;
    const model = store.get();
    const context = composerContext(model);
    const { chips, link, text } = rowAt({ composer: box, width, height, context }, y);
    const clicked = clickedChip(chips, x);
    if (clicked) {
      if (clicked.retry) retryUpload(ports, clicked.file as string);
      else removeFile(ports, clicked.file);
    }
    const dismissed = clickedCross(link, x);
    if (dismissed !== undefined) removePreview(ports, dismissed);
    if (text < 0) return;
    const offset = layouter.offsetAt(box.editor.text, textLayout(box, width), text, Math.max(0, x - 3));
    boxes.setEditor(moveTo(box.editor, offset));
  },
};
