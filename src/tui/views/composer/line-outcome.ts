/** What becomes of a line that was typed: it leaves the box when it is carried out, and comes back when it is refused. */
import type { ThreadRef } from "../../../model/state.ts";
import { clear, setText } from "../../editor/edits.ts";
import { isClear } from "../../screen/composer.ts";
import { withCompletion } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";

/** A line that leaves the box when it is carried out, and comes back when it is refused. */
export interface LineOutcome {
  taken(): void;
  refused(): void;
}

/** One that a key or a list named. */
export const NOT_TYPED: LineOutcome = { taken: () => {}, refused: () => {} };

export function takenLine(ports: Ports, place: ThreadRef): LineOutcome {
  const { text } = ports.boxes.at(place).editor;
  return {
    taken: () => done(ports, place),
    refused() {
      const box = ports.boxes.at(place);
      // What was begun meanwhile stays; the line can be walked back to.
      if (isClear(box) && !box.editing) ports.boxes.put(setText(box.editor, text), place, true);
    },
  };
}

/** The line was carried out: the box is empty, and files that hang on it wait for a message. */
export function done({ boxes, store }: Ports, place: ThreadRef): void {
  const { editor, quote, alsoChannel } = boxes.at(place);
  boxes.remember(editor.text);
  store.update((s) => withCompletion(s, undefined));
  boxes.change((composer) => {
    if (quote) composer.quote(undefined);
    if (alsoChannel) composer.showInChannel(false);
  }, place);
  boxes.put(clear(editor), place, true);
}
