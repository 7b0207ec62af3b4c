/** Selecting text in the box with Shift and the keys that move the cursor; Ctrl-C copies it. */
import { extend, EDITS, type Motion } from "../../editor/edits.ts";
import { selectionOf } from "../../editor/state.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { copyText } from "../messages/actions.ts";
import { apply, moveRow } from "./text-actions.ts";

const extending =
  (motion: Motion): Action =>
  (ports) =>
    apply(ports, (editor) => extend(editor, motion));

/** A row up or down, beyond the first and the last one to the end of the text. */
const extendingRow =
  (by: -1 | 1): Action =>
  (ports) => {
    const { cursor, anchor = cursor } = ports.boxes.at().editor;
    if (moveRow(ports, by)) apply(ports, (editor) => ({ ...editor, anchor }));
    else apply(ports, (editor) => extend(editor, by < 0 ? "start" : "finish"));
  };

export const selectActions = {
  selectLeft: extending("left"),
  selectRight: extending("right"),
  selectWordLeft: extending("wordLeft"),
  selectWordRight: extending("wordRight"),
  selectLineStart: extending("home"),
  selectLineEnd: extending("end"),
  selectTextStart: extending("start"),
  selectTextEnd: extending("finish"),
  selectUp: extendingRow(-1),
  selectDown: extendingRow(1),
} satisfies Record<string, Action>;

/** Copies what is selected in the box; false if nothing is. */
export function copySelected(ports: Ports): boolean {
  const { editor } = ports.boxes.at();
  const selected = ports.store.screen.focus === "composer" && selectionOf(editor);
  if (!selected) return false;
  copyText(ports, editor.text.slice(selected.start, selected.end));
  apply(ports, EDITS.unselect);
  return true;
}
