/** Clears the composer with Ctrl-C; Ctrl-Y, undo and the history bring everything back. */
import { words } from "../../../text/words.ts";
import { edit } from "../../editor/edits.ts";
import { showChord } from "../../input/chord.ts";
import { chordsFor } from "../../keys/lookup.ts";
import { isEmptyBox } from "../../screen/composer.ts";
import { quitProgram } from "../../ports/quit.ts";
import { withCompletion } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import { placeKey } from "../../screen/place-key.ts";
import { showNotice } from "../../screen/notices.ts";
import { undoChange } from "./paste.ts";
import { apply, leaveMode } from "./text-actions.ts";

/** Clears text, files and quote, and remembers them to be restored together. */
function clearComposer(ports: Ports): void {
  const { boxes, store, keys } = ports;
  const { place } = boxes;
  const { editor, uploads, carried } = boxes.at();
  if (!place) return boxes.setEditor(edit(editor, "killAll"));
  boxes.remember(editor.text);
  store.update((s) => withCompletion(s, undefined));
  // The text is cleared last, so that it can be stored with its files and quote.
  const { text } = editor;
  const emptied = edit(editor, "killAll");
  const content = boxes.composer(place).clear();
  boxes.setEditor(emptied, place, true);
  boxes.sync(place, true);
  boxes.cleared.set(placeKey(place), { ...content, text });
  const chord = chordsFor(keys, "yank", ["write"])[0];
  const files = uploads.length + carried.length;
  if ((files > 0 || text.trim() !== "") && chord !== undefined)
    showNotice(ports, words.notices.cleared(files, showChord(chord)));
}

/** Restores files and quote when the composer has the text again that was cleared with them; true when that text was empty. */
function restoreCleared({ boxes }: Ports): boolean {
  const { place } = boxes;
  const cleared = place && boxes.cleared.get(placeKey(place));
  if (!place || cleared?.text !== boxes.at(place).editor.text) return false;
  boxes.cleared.delete(placeKey(place));
  boxes.change((composer) => composer.putBack(cleared), place);
  return cleared.text === "";
}

/** Ctrl-Y: inserts the text that was deleted last, and the files and quote that were cleared with it. */
export function yank(ports: Ports): void {
  if (restoreCleared(ports)) return;
  apply(ports, (editor) => edit(editor, "yank"));
  restoreCleared(ports);
}

/** Ctrl-_: undoes the last change, restoring files and quote if it was a clear; false when there is nothing to undo. */
export function undoOrRestore(ports: Ports): boolean {
  const undone = restoreCleared(ports) || undoChange(ports);
  restoreCleared(ports);
  return undone;
}

/** Ctrl-C: cancels an edit or clears the composer; on an empty one the second press quits. */
export function clearOrLeave(ports: Ports): void {
  const { boxes, store } = ports;
  const box = boxes.at();
  if (box.editing) return void leaveMode(ports);
  if (!isEmptyBox(box)) return clearComposer(ports);
  if (store.screen.quitArmed) return quitProgram(ports);
  store.update((s) => ({ ...s, quitArmed: true }));
}
