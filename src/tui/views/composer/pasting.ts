/** Pastes text, files for their paths, and the desktop's clipboard. */
import { withoutSequences } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { showChord } from "../../input/chord.ts";
import { chordsFor } from "../../keys/lookup.ts";
import { edit, paste } from "../../editor/edits.ts";
import { replaceRange } from "../../editor/state.ts";
import { withFocus } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import type { ClipboardContent } from "../../screen/host.ts";
import { placeKey } from "../../screen/place-key.ts";
import { askToConfirm, attempt, showNotice } from "../../screen/notices.ts";
import { attachFiles } from "../files/actions.ts";
import { pathsIn } from "../files/dropped.ts";
import { takeOff } from "./uploads.ts";
import { apply } from "./writing.ts";

/** Longer pastes are asked about: lines, and characters. */
const PASTE_LINES = 20;
const PASTE_LENGTH = 4000;

/** Bracketed paste: at once when short, after a question when long; a file's worth of lines is never sent by accident. */
export function pasteText(ports: Ports, pasted: string): void {
  const text = withoutSequences(pasted);
  const lines = text.replace(/(?:\r\n?|\n)$/, "").split(/\r\n?|\n/).length;
  const put = (): void => {
    ports.store.update((s) => withFocus(s, "composer"));
    apply(ports, (editor) => paste(editor, text));
  };
  const readings = ports.boxes.at().editing ? [] : pathsIn(text, ports.disk.home);
  if (readings.length > 0) {
    put();
    return attempt(ports, filesInstead(ports, readings));
  }
  if (lines <= PASTE_LINES && text.length <= PASTE_LENGTH) return put();
  askToConfirm(ports, { level: "mild", question: words.notices.bigPaste(lines, text.length) }, put);
}

/** The first reading of which every path is a file. */
async function existing({ disk }: Ports, readings: readonly string[][]): Promise<string[] | undefined> {
  for (const paths of readings) {
    const found = await Promise.all(paths.map((one) => disk.look(one)));
    if (found.every((entry) => entry?.kind === "file")) return paths;
  }
  return undefined;
}

/** The text that was just put in goes and its files come, unless it was changed meanwhile; undoing puts it back. */
async function filesInstead(ports: Ports, readings: readonly string[][]): Promise<void> {
  const { boxes, keys } = ports;
  const { place } = boxes;
  const { text, undo: changes } = boxes.at().editor;
  const put = changes.at(-1);
  const files = await existing(ports, readings);
  if (!files || !place || !put || !boxes.place || placeKey(boxes.place) !== placeKey(place)) return;
  const end = put.at + put.inserted.length;
  if (!boxes.at().editor.text.startsWith(text.slice(0, end))) return;
  apply(ports, (editor) => replaceRange(editor, put.at, end, ""));
  const taken = boxes.at().editor.undo.at(-1)!;
  boxes.dropped.set(taken, { files, ids: attachFiles(ports, files) });
  const chord = chordsFor(keys, "undo", ["write"])[0];
  showNotice(ports, words.files.dropped(files.length, chord === undefined ? "" : showChord(chord)));
}

/** Takes the last change back: files that came in place of a text go with it. False when there is none. */
export function undoChange(ports: Ports): boolean {
  const change = ports.boxes.at().editor.undo.at(-1);
  if (!change) return false;
  apply(ports, (editor) => edit(editor, "undo"));
  for (const id of ports.boxes.dropped.get(change)?.ids ?? []) takeOff(ports, id);
  return true;
}

export function redoChange(ports: Ports): void {
  const change = ports.boxes.at().editor.redo.at(-1);
  apply(ports, (editor) => edit(editor, "redo"));
  const dropped = change && ports.boxes.dropped.get(change);
  if (dropped) ports.boxes.dropped.set(change, { ...dropped, ids: attachFiles(ports, dropped.files) });
}

/** What the clipboard had, where it belongs. */
async function taken(ports: Ports, clipping: ClipboardContent): Promise<void> {
  switch (clipping.kind) {
    case "none":
      return showNotice(ports, clipping.why, "warning");
    case "text":
      return pasteText(ports, clipping.text);
    case "picture":
      return void attachFiles(ports, [clipping.file]);
    case "files": {
      const files = await existing(ports, pathsIn(clipping.text, ports.disk.home));
      if (files) attachFiles(ports, files);
      else showNotice(ports, words.clipboard.gone, "warning");
    }
  }
}

export function pasteClipboard(ports: Ports): void {
  if (!ports.boxes.place) return showNotice(ports, words.files.nowhere);
  attempt(
    ports,
    ports.terminal.clipboard().then((clipping) => taken(ports, clipping)),
  );
}
