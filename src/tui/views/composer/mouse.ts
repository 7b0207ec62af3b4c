/** The mouse in the box: a click puts the cursor there. */
import { moveTo } from "../../editor/state.ts";
import { focused } from "../../screen/moves.ts";
import type { Zone } from "../../screen/ports.ts";
import { layouter, textLayout } from "./rows.ts";

export const composerZone: Zone = {
  rect: ({ layout }) => layout.composer,
  click({ store, boxes }, { x, y }, rect) {
    store.now((s) => focused(s, "composer"));
    const box = boxes.at();
    const laid = textLayout(box, rect.width);
    const banner = rect.height - laid.rows.length;
    const row = y - Math.max(0, banner);
    if (row < 0) return;
    const offset = layouter.offsetAt(box.editor.text, laid, row, Math.max(0, x - 3));
    boxes.put(moveTo(box.editor, offset));
  },
};
