/** Pastes text and the desktop's clipboard; a key attaches the files of pasted paths. */
import { withoutSequences } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { showChord } from "../../input/chord.ts";
import { chordsFor } from "../../keys/lookup.ts";
import { edit, paste } from "../../editor/edits.ts";
import { replaceRange, type EditorState } from "../../editor/state.ts";
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
    return attempt(ports, offerToAttach(ports, candidates));
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

/** Says which key attaches the files whose paths were pasted; until then they are text and nothing reads them. */
async function offerToAttach(ports: Ports, candidates: readonly string[][]): Promise<void> {
  const { boxes, keys } = ports;
  const { place } = boxes;
  const pasted = boxes.at().editor.undo.at(-1);
  const files = await existingFiles(ports, candidates);
  const chord = chordsFor(keys, "attachPasted", ["write"])[0];
  if (!files || !place || !pasted || chord === undefined) return;
  boxes.pastedPaths.set(placeKey(place), pasted.inserted);
  showNotice(ports, words.files.pasted(files.length, showChord(chord)));
}

/** The parts of a text that may be paths: what was pasted last, the whole text, and the word before the cursor. */
function possiblePaths(
  { text, cursor }: EditorState,
  pasted: string | undefined,
): { at: number; text: string }[] {
  const word = /(?<!\S)\S+$/.exec(text.slice(0, cursor))?.[0] ?? "";
  return [
    ...(pasted === undefined ? [] : [{ at: text.lastIndexOf(pasted), text: pasted }]),
    { at: 0, text },
    { at: cursor - word.length, text: word },
  ].filter((part) => part.at >= 0 && part.text.trim() !== "");
}

/** Replaces paths in the text by their files, which are uploaded with the send; undo reverts that. */
async function attachPaths(ports: Ports): Promise<void> {
  const { boxes, disk, keys } = ports;
  const { place } = boxes;
  if (!place) return showNotice(ports, words.files.nowhere);
  const { editor } = boxes.at(place);
  for (const part of possiblePaths(editor, boxes.pastedPaths.get(placeKey(place)))) {
    const files = await existingFiles(ports, pathCandidates(part.text, disk.home));
    // Typed on meanwhile: the next press takes what is there then.
    if (
      boxes.place === undefined ||
      placeKey(boxes.place) !== placeKey(place) ||
      boxes.at().editor !== editor
    )
      return;
    if (!files) continue;
    const ids = attachFiles(ports, files, { held: true });
    if (ids.length === 0) return;
    apply(ports, (current) => replaceRange(current, part.at, part.at + part.text.length, ""));
    boxes.pastedFiles.set(boxes.at().editor.undo.at(-1)!, { files, ids });
    const chord = chordsFor(keys, "undo", ["write"])[0];
    return showNotice(ports, words.files.attached(files.length, chord === undefined ? "" : showChord(chord)));
  }
  showNotice(ports, words.files.noPath);
}

/** Attaches the files whose paths are in the text. */
export const attachPasted = (ports: Ports): void => attempt(ports, attachPaths(ports));

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
  if (pasted)
    ports.boxes.pastedFiles.set(change, { ...pasted, ids: attachFiles(ports, pasted.files, { held: true }) });
}

async function insertClipboard(ports: Ports, content: ClipboardContent): Promise<void> {
  switch (content.kind) {
    case "none":
      return showNotice(ports, content.why, "warning");
    case "text":
      return pasteText(ports, content.text);
    case "picture":
      return void attachFiles(ports, [content.file], { held: true });
    case "files": {
      const files = await existingFiles(ports, pathCandidates(content.text, ports.disk.home));
      if (files) attachFiles(ports, files, { held: true });
      else showNotice(ports, words.clipboard.gone, "warning");
    }
  }
}

export function pasteClipboard(ports: Ports): void {
  if (!ports.boxes.place) return showNotice(ports, words.files.nowhere);
  const inserted = ports.terminal.clipboard().then((content) => insertClipboard(ports, content));
  attempt(ports, inserted);
}
