/** Clears the composer with Ctrl-C so that everything can come back by Ctrl-Y, undo or the history. */
import { words } from "../../../text/words.ts";
import { edit } from "../../editor/edits.ts";
import { showChord } from "../../input/chord.ts";
import { chordsFor } from "../../keys/lookup.ts";
import { isClear } from "../../screen/composer.ts";
import { leave } from "../../ports/leaving.ts";
import { withCompletion } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import { placeKey } from "../../screen/place-key.ts";
import { showNotice } from "../../screen/notices.ts";
import { undoChange } from "./pasting.ts";
import { apply, leaveMode } from "./writing.ts";

/** The text, its files and its quote go, to be put back together. */
function throwAway(ports: Ports): void {
  const { boxes, store, keys } = ports;
  const { place } = boxes;
  const { editor, uploads, carried } = boxes.at();
  if (!place) return boxes.put(edit(editor, "killAll"));
  boxes.remember(editor.text);
  store.update((s) => withCompletion(s, undefined));
  // The text goes last: it is kept with what hangs on it.
  const { text } = editor;
  const killed = edit(editor, "killAll");
  const thrown = boxes.composer(place).clear();
  boxes.put(killed, place, true);
  boxes.sync(place, true);
  boxes.thrown.set(placeKey(place), { ...thrown, text });
  const chord = chordsFor(keys, "yank", ["write"])[0];
  const files = uploads.length + carried.length;
  if ((files > 0 || text.trim() !== "") && chord !== undefined)
    showNotice(ports, words.notices.cleared(files, showChord(chord)));
}

/** Files and quote come back with the text they hung on; true when there was nothing else to bring back. */
function putBack({ boxes }: Ports): boolean {
  const { place } = boxes;
  const thrown = place && boxes.thrown.get(placeKey(place));
  if (!place || thrown?.text !== boxes.at(place).editor.text) return false;
  boxes.thrown.delete(placeKey(place));
  boxes.change((composer) => composer.putBack(thrown), place);
  return thrown.text === "";
}

/** Ctrl-Y: what was deleted last, with what hung on it when it was cleared. */
export function yank(ports: Ports): void {
  if (putBack(ports)) return;
  apply(ports, (editor) => edit(editor, "yank"));
  putBack(ports);
}

/** Ctrl-_: the same where the clearing is what is undone; false when there is nothing to undo. */
export function undoOrPutBack(ports: Ports): boolean {
  const undone = putBack(ports) || undoChange(ports);
  putBack(ports);
  return undone;
}

/** Ctrl-C: the edit or the text goes, and comes back by undo, Ctrl-Y or the history; on an empty box the second press leaves. */
export function clearOrLeave(ports: Ports): void {
  const { boxes, store } = ports;
  const box = boxes.at();
  if (box.editing) return void leaveMode(ports);
  if (!isClear(box)) return throwAway(ports);
  if (store.screen.quitArmed) return leave(ports);
  store.update((s) => ({ ...s, quitArmed: true }));
}
