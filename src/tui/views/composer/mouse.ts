/** The mouse in the composer: a click places the cursor, or removes a file. */
import { moveTo } from "../../editor/state.ts";
import { withFocus } from "../../screen/transitions.ts";
import type { MouseZone } from "../../ports/ports.ts";
import { clickedChip } from "./chips.ts";
import { overBox } from "./over.ts";
import { layouter, rowAt, textLayout } from "./rows.ts";
import { retry, takeOff } from "./uploads.ts";

export const composerZone: MouseZone = {
  rect: ({ layout }) => layout.composer,
  click(ports, { x, y }, rect) {
    const { store, boxes, core } = ports;
    store.update((s) => withFocus(s, "composer"));
    const box = boxes.at();
    const { width, height } = rect;
    const model = store.get();
    const over = overBox(model, core.userId, { utc: model.look.utc });
    const { chips, text } = rowAt({ composer: box, width, height, over }, y);
    const clicked = clickedChip(chips, x);
    if (clicked) {
      if (clicked.retry) retry(ports, clicked.of as string);
      else takeOff(ports, clicked.of);
    }
    if (text < 0) return;
    const offset = layouter.offsetAt(box.editor.text, textLayout(box, width), text, Math.max(0, x - 3));
    boxes.put(moveTo(box.editor, offset));
  },
};
