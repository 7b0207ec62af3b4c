/** Chooses files to attach: opens the list, marks, changes folders, and attaches. */
import path from "node:path";
import { segments } from "../../../text/graphemes.ts";
import { words } from "../../../text/words.ts";
import { withFocus } from "../../screen/transitions.ts";
import { popupChanged, popupPopped, popupPushed, topPopup, type FilesPopup } from "../../screen/popup.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { showNotice } from "../../screen/notices.ts";
import {
  HERE,
  above,
  folderAsked,
  completed,
  inFolder,
  isFolderRead,
  marked,
  meantByGlob,
  pathIn,
  shownIn,
} from "./browser.ts";
import { saveInto } from "./saving.ts";

type Choosing = Pick<Ports, "core" | "store" | "boxes" | "disk" | "downloads">;

/** Where files were chosen last. */
const FOLDER = "attachFolder";

/** Files go up at once and hang on the box, by the ids given back; what is wrong with one is told by core's notice. */
export function attachFiles(
  ports: Pick<Ports, "core" | "store" | "boxes">,
  files: readonly string[],
): string[] {
  const { boxes, store } = ports;
  const { place } = boxes;
  const refused = !place ? words.files.nowhere : boxes.at(place).editing ? words.files.editing : undefined;
  if (!place || refused !== undefined) {
    showNotice(ports, refused!, "warning");
    return [];
  }
  store.update((s) => withFocus(s, "composer"));
  const { attachments } = boxes.composer(place);
  const before = new Set(attachments.state().uploads);
  void attachments.add(files);
  boxes.sync(place, true);
  return attachments.state().uploads.flatMap((upload) => (before.has(upload) ? [] : [upload.localId]));
}

function openChooser(ports: Choosing): void {
  if (!ports.boxes.place) return showNotice(ports, words.files.nowhere);
  const { home, cwd } = ports.disk;
  const folder = ports.core.remember<string>(FOLDER) ?? cwd;
  ports.store.update((s) =>
    popupPushed(s, { kind: "files", purpose: "attach", home, folder, query: "", selected: 0, marked: [] }),
  );
}

function chooser({ store }: Pick<Ports, "store">): FilesPopup | undefined {
  const popup = topPopup(store.screen);
  return popup?.kind === "files" ? popup : undefined;
}

const change =
  (next: (popup: FilesPopup) => FilesPopup): Action =>
  ({ store }) =>
    store.update((s) => popupChanged(s, (popup) => (popup.kind === "files" ? next(popup) : popup)));

/** The folder under the cursor, else nothing happens. */
function into(popup: FilesPopup): FilesPopup {
  const entry = shownIn(popup)[popup.selected];
  return entry?.kind === "folder" ? inFolder(popup, pathIn(popup, entry.name)) : popup;
}

/** One character, or of an empty line the folder. */
function erased(popup: FilesPopup): FilesPopup {
  const last = [...segments(popup.query)].at(-1);
  return last ? { ...popup, query: popup.query.slice(0, last.index), selected: 0 } : above(popup);
}

/** What Enter means: the marked ones, all that a pattern means, or the one under the cursor. */
function chosen(popup: FilesPopup): string[] {
  if (popup.marked.length > 0) return [...popup.marked];
  const globbed = meantByGlob(popup);
  if (globbed.length > 0) return globbed;
  const entry = shownIn(popup)[popup.selected];
  return entry?.kind === "file" ? [pathIn(popup, entry.name)] : [];
}

/** Enter came before the folder was read: it counts when the folder is there and nothing else was asked for meanwhile. */
function takeOnceRead(ports: Choosing, asked: FilesPopup): void {
  const { folder } = folderAsked(asked);
  const again = (listing: FilesPopup["listing"]): void => {
    const now = chooser(ports);
    if (!now || now.query !== asked.query || folderAsked(now).folder !== folder) return;
    change((popup) => ({ ...popup, listing: popup.listing?.folder === folder ? popup.listing : listing! }))(
      ports as Ports,
    );
    take(ports);
  };
  ports.disk.list(folder).then(
    (entries) => again({ folder, entries }),
    (error: Error) => again({ folder, entries: [], fault: error.message }),
  );
}

function take(ports: Choosing): void {
  const popup = chooser(ports);
  if (!popup) return;
  if (shownIn(popup)[popup.selected] === HERE) {
    ports.store.update(popupPopped);
    return saveInto(ports, folderAsked(popup).folder, popup.saving ?? []);
  }
  if (popup.marked.length === 0 && !isFolderRead(popup)) return takeOnceRead(ports, popup);
  const files = chosen(popup);
  if (files.length > 0) {
    ports.core.keep(FOLDER, path.dirname(files.at(-1)!));
    ports.store.update(popupPopped);
    attachFiles(ports, files);
  } else if (into(popup) !== popup) change(into)(ports as Ports);
  else if (folderAsked(popup).part !== "") showNotice(ports, words.files.none, "warning");
}

export const filesActions = {
  attach: openChooser,
  filesTake: take,
  filesMark: change(marked),
  filesComplete: change(completed),
  filesInto: change(into),
  filesAbove: change(above),
  filesErase: change(erased),
} satisfies Record<string, Action>;
