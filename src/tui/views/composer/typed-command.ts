/** A typed command: the composer is cleared when it runs, and gets it back when it fails. */
import type { ThreadRef } from "../../../model/state.ts";
import { clear, setText } from "../../editor/edits.ts";
import { isEmptyBox } from "../../screen/composer.ts";
import { withCompletion } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";

export interface TypedCommand {
  clear(): void;
  restore(): void;
}

/** A returned sentence tells why it cannot be done: it is shown, and the command stays in the composer. */
export type RunLine = (ports: Ports, rest: string, typed: TypedCommand) => string | void;

/** For commands run by a key or a list. */
export const NOT_TYPED: TypedCommand = { clear: () => {}, restore: () => {} };

export function typedCommandIn(ports: Ports, place: ThreadRef): TypedCommand {
  const { text } = ports.boxes.at(place).editor;
  /** The text in the box once the command has left it. */
  let left = "";
  return {
    clear() {
      clearCommand(ports, place);
      left = ports.boxes.at(place).editor.text;
    },
    restore() {
      const box = ports.boxes.at(place);
      // Text written meanwhile stays; the command is in the history.
      if (box.editing || box.editor.text !== left) return;
      if (left !== "") ports.boxes.beginLine(text, place);
      else if (isEmptyBox(box)) ports.boxes.setEditor(setText(box.editor, text), place, true);
    },
  };
}

/** Clears a command that runs; attached files stay for the next message. */
export function clearCommand({ boxes, store }: Ports, place: ThreadRef): void {
  const { editor, quote, alsoChannel } = boxes.at(place);
  boxes.remember(editor.text);
  store.update((s) => withCompletion(s, undefined));
  boxes.change((composer) => {
    if (quote) composer.quote(undefined);
    if (alsoChannel) composer.showInChannel(false);
  }, place);
  boxes.setEditor(clear(editor), place, true);
}
