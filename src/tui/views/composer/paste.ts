/** Pastes text and the desktop's clipboard; pasted paths attach their files. */
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
import { pathCandidates } from "../files/pasted-paths.ts";
import { removeFile } from "./uploads.ts";
import { apply } from "./text-actions.ts";

/** Longer pastes need a confirmation. */
const PASTE_LINES = 20;
const PASTE_LENGTH = 4000;

/** Bracketed paste; a long text is inserted after a question only. */
export function pasteText(ports: Ports, pasted: string): void {
  const text = withoutSequences(pasted);
  const lines = text.replace(/(?:\r\n?|\n)$/, "").split(/\r\n?|\n/).length;
  const insertPaste = (): void => {
    ports.store.update((s) => withFocus(s, "composer"));
    apply(ports, (editor) => paste(editor, text));
  };
  const candidates = ports.boxes.at().editing ? [] : pathCandidates(text, ports.disk.home);
  if (candidates.length > 0) {
    insertPaste();
    return attempt(ports, attachInstead(ports, candidates));
  }
  if (lines <= PASTE_LINES && text.length <= PASTE_LENGTH) return insertPaste();
  askToConfirm(ports, { level: "mild", question: words.notices.bigPaste(lines, text.length) }, insertPaste);
}

/** The first candidate list in which every path is a file. */
async function existingFiles(
  { disk }: Ports,
  candidates: readonly string[][],
): Promise<string[] | undefined> {
  for (const paths of candidates) {
    const entries = await Promise.all(paths.map((one) => disk.entryAt(one)));
    if (entries.every((entry) => entry?.kind === "file")) return paths;
  }
  return undefined;
}

/** Replaces the pasted paths by attachments, unless the text was changed meanwhile; undo reverts that. */
async function attachInstead(ports: Ports, candidates: readonly string[][]): Promise<void> {
  const { boxes, keys } = ports;
  const { place } = boxes;
  const { text, undo: changes } = boxes.at().editor;
  const insertion = changes.at(-1);
  const files = await existingFiles(ports, candidates);
  if (!files || !place || !insertion || !boxes.place || placeKey(boxes.place) !== placeKey(place)) return;
  const end = insertion.at + insertion.inserted.length;
  if (!boxes.at().editor.text.startsWith(text.slice(0, end))) return;
  apply(ports, (editor) => replaceRange(editor, insertion.at, end, ""));
  const removal = boxes.at().editor.undo.at(-1)!;
  boxes.pastedFiles.set(removal, { files, ids: attachFiles(ports, files) });
  const chord = chordsFor(keys, "undo", ["write"])[0];
  showNotice(ports, words.files.dropped(files.length, chord === undefined ? "" : showChord(chord)));
}

/** Undoes the last change, and removes the files that it attached; false when there is none. */
export function undoChange(ports: Ports): boolean {
  const change = ports.boxes.at().editor.undo.at(-1);
  if (!change) return false;
  apply(ports, (editor) => edit(editor, "undo"));
  for (const id of ports.boxes.pastedFiles.get(change)?.ids ?? []) removeFile(ports, id);
  return true;
}

export function redoChange(ports: Ports): void {
  const change = ports.boxes.at().editor.redo.at(-1);
  apply(ports, (editor) => edit(editor, "redo"));
  const pasted = change && ports.boxes.pastedFiles.get(change);
  if (pasted) ports.boxes.pastedFiles.set(change, { ...pasted, ids: attachFiles(ports, pasted.files) });
}

async function insertClipboard(ports: Ports, content: ClipboardContent): Promise<void> {
  switch (content.kind) {
    case "none":
      return showNotice(ports, content.why, "warning");
    case "text":
      return pasteText(ports, content.text);
    case "picture":
      return void attachFiles(ports, [content.file]);
    case "files": {
      const files = await existingFiles(ports, pathCandidates(content.text, ports.disk.home));
      if (files) attachFiles(ports, files);
      else showNotice(ports, words.clipboard.gone, "warning");
    }
  }
}

export function pasteClipboard(ports: Ports): void {
  if (!ports.boxes.place) return showNotice(ports, words.files.nowhere);
  const inserted = ports.terminal.clipboard().then((content) => insertClipboard(ports, content));
  attempt(ports, inserted);
}
