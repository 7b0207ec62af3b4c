/** Chooses files to attach, or a folder to save in: moves through folders, marks and confirms. */
import path from "node:path";
import type { Attachment } from "../../../wire/entities/attachment.ts";
import { segments } from "../../../text/graphemes.ts";
import { words } from "../../../text/words.ts";
import { withFocus } from "../../screen/transitions.ts";
import { popupChanged, popupPopped, popupPushed, topPopup, type FilesPopup } from "../../screen/popup.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { showNotice } from "../../screen/notices.ts";
import {
  THIS_FOLDER,
  withParentFolder,
  typedFolder,
  withCompletedName,
  withFolder,
  isFolderRead,
  withMark,
  globMatches,
  pathIn,
  shownEntries,
} from "./browser.ts";
import { saveInto } from "./save-files.ts";

type ChooserPorts = Pick<Ports, "core" | "store" | "boxes" | "disk" | "downloads">;

/** Stores the folder of the last choice. */
const LAST_FOLDER_KEY = "attachFolder";

/** Why nothing can be attached to the message being written. */
export function attachRefusal({ boxes }: Pick<Ports, "boxes">): string | undefined {
  const { place } = boxes;
  if (!place) return words.files.nowhere;
  return boxes.at(place).editing ? words.files.editing : undefined;
}

/**
 * Attaches files to the composer and starts their uploads, or with `held` only once they are sent, as for all that came by paste
 * (specification/attachments.md §7). Returns the upload ids. Core shows a notice about a bad file.
 */
export function attachFiles(
  ports: Pick<Ports, "core" | "store" | "boxes">,
  files: readonly string[],
  { held = false, about }: { held?: boolean; about?: Attachment } = {},
): string[] {
  const { boxes, store } = ports;
  const { place } = boxes;
  const refusal = attachRefusal(ports);
  if (!place || refusal !== undefined) {
    showNotice(ports, refusal!, "warning");
    return [];
  }
  store.update((s) => withFocus(s, "composer"));
  const { attachments } = boxes.composer(place);
  const before = new Set(attachments.state().uploads);
  if (held) attachments.hold(files, about);
  else void attachments.add(files);
  boxes.sync(place, true);
  return attachments.state().uploads.flatMap((upload) => (before.has(upload) ? [] : [upload.localId]));
}

function openChooser(ports: ChooserPorts): void {
  if (!ports.boxes.place) return showNotice(ports, words.files.nowhere);
  const { home, cwd } = ports.disk;
  const folder = ports.core.remember<string>(LAST_FOLDER_KEY) ?? cwd;
  ports.store.update((s) =>
    popupPushed(s, { kind: "files", purpose: "attach", home, folder, query: "", selected: 0, marked: [] }),
  );
}

function chooser({ store }: Pick<Ports, "store">): FilesPopup | undefined {
  const popup = topPopup(store.screen);
  return popup?.kind === "files" ? popup : undefined;
}

const updatePopup =
  (next: (popup: FilesPopup) => FilesPopup): Action =>
  ({ store }) =>
    store.update((s) => popupChanged(s, (popup) => (popup.kind === "files" ? next(popup) : popup)));

/** Enters the folder under the cursor, if it is one. */
function withEnteredFolder(popup: FilesPopup): FilesPopup {
  const entry = shownEntries(popup)[popup.selected];
  return entry?.kind === "folder" ? withFolder(popup, pathIn(popup, entry.name)) : popup;
}

/** Deletes a character; with nothing typed, goes to the parent folder. */
function withErased(popup: FilesPopup): FilesPopup {
  const last = [...segments(popup.query)].at(-1);
  return last ? { ...popup, query: popup.query.slice(0, last.index), selected: 0 } : withParentFolder(popup);
}

/** The files that Enter attaches: the marked ones, else all that match a pattern, else the one under the cursor. */
function chosenFiles(popup: FilesPopup): string[] {
  if (popup.marked.length > 0) return [...popup.marked];
  const matches = globMatches(popup);
  if (matches.length > 0) return matches;
  const entry = shownEntries(popup)[popup.selected];
  return entry?.kind === "file" ? [pathIn(popup, entry.name)] : [];
}

/** Enter before the folder was read: confirms once it is, unless something else was typed meanwhile. */
function confirmOnceRead(ports: ChooserPorts, popup: FilesPopup): void {
  const { folder } = typedFolder(popup);
  const confirmIfUnchanged = (listing: FilesPopup["listing"]): void => {
    const current = chooser(ports);
    if (!current || current.query !== popup.query || typedFolder(current).folder !== folder) return;
    updatePopup((popup) => ({
      ...popup,
      listing: popup.listing?.folder === folder ? popup.listing : listing!,
    }))(ports as Ports);
    confirmChoice(ports);
  };
  ports.disk.list(folder).then(
    (entries) => confirmIfUnchanged({ folder, entries }),
    (error: Error) => confirmIfUnchanged({ folder, entries: [], fault: error.message }),
  );
}

function confirmChoice(ports: ChooserPorts): void {
  const popup = chooser(ports);
  if (!popup) return;
  if (shownEntries(popup)[popup.selected] === THIS_FOLDER) {
    ports.store.update(popupPopped);
    return saveInto(ports, typedFolder(popup).folder, popup.saving ?? []);
  }
  if (popup.marked.length === 0 && !isFolderRead(popup)) return confirmOnceRead(ports, popup);
  const files = chosenFiles(popup);
  if (files.length > 0) {
    ports.core.keep(LAST_FOLDER_KEY, path.dirname(files.at(-1)!));
    ports.store.update(popupPopped);
    attachFiles(ports, files);
  } else if (withEnteredFolder(popup) !== popup) updatePopup(withEnteredFolder)(ports as Ports);
  else if (typedFolder(popup).part !== "") showNotice(ports, words.files.none, "warning");
}

export const filesActions = {
  attach: openChooser,
  filesTake: confirmChoice,
  filesMark: updatePopup(withMark),
  filesComplete: updatePopup(withCompletedName),
  filesInto: updatePopup(withEnteredFolder),
  filesAbove: updatePopup(withParentFolder),
  filesErase: updatePopup(withErased),
} satisfies Record<string, Action>;
