/** The state of the file chooser: the typed path, the shown entries, marks. */
import { compareNames } from "../../screen/name-order.ts";
import path from "node:path";
import { globTest, isGlob } from "../../../text/glob.ts";
import type { DiskEntry } from "../../screen/host.ts";
import type { FilesPopup } from "../../screen/popup.ts";
import { escapePath, nameStart, resolvePath, unquotePath } from "./paths.ts";

/** Splits what is typed into a folder and the start of a name in it. */
export function typedFolder(popup: FilesPopup): { folder: string; part: string } {
  const { text } = unquotePath(popup.query);
  const start = nameStart(text);
  const bases = { home: popup.home, cwd: popup.folder };
  if (text === "~") return { folder: popup.home, part: "" };
  return {
    folder: start === 0 ? popup.folder : resolvePath(text.slice(0, start), bases),
    part: text.slice(start),
  };
}

/** Whether the listing is that of the typed folder. */
export const isFolderRead = (popup: FilesPopup): boolean =>
  popup.listing?.folder === typedFolder(popup).folder;

/** Names that start with the typed text first, then folders, then by name. */
function compareEntries(a: DiskEntry, b: DiskEntry, typed: string): number {
  const folders = Number(b.kind === "folder") - Number(a.kind === "folder");
  const startsWithTyped = (entry: DiskEntry): number => Number(entry.name.toLowerCase().startsWith(typed));
  return startsWithTyped(b) - startsWithTyped(a) || folders || compareNames(a.name, b.name);
}

/** The entry that chooses the shown folder itself, even if it does not exist yet. */
export const THIS_FOLDER: DiskEntry = { name: ".", kind: "folder" };

/** The sorted entries that match the typed name; hidden files only after a dot, only folders when saving. */
export function shownEntries(popup: FilesPopup): readonly DiskEntry[] {
  const { part } = typedFolder(popup);
  const typed = part.toLowerCase();
  const matches = isGlob(part)
    ? globTest(part)
    : (name: string): boolean =>
        (part.startsWith(".") || !name.startsWith(".")) && name.toLowerCase().includes(typed);
  const thisFolder = popup.purpose === "save" && part === "" ? [THIS_FOLDER] : [];
  const entries = (isFolderRead(popup) ? popup.listing!.entries : [])
    .filter(({ name, kind }) => matches(name) && (popup.purpose === "attach" || kind === "folder"))
    .toSorted((a, b) => compareEntries(a, b, typed));
  return [...thisFolder, ...entries];
}

export const pathIn = (popup: FilesPopup, name: string): string => path.join(typedFolder(popup).folder, name);

/** Changes the folder and clears the typed text. */
export const withFolder = (popup: FilesPopup, folder: string): FilesPopup => ({
  ...popup,
  folder,
  query: "",
  selected: 0,
});

export const withParentFolder = (popup: FilesPopup): FilesPopup =>
  withFolder(popup, path.dirname(typedFolder(popup).folder));

/** The files that match a typed pattern; empty if no pattern is typed. */
export function globMatches(popup: FilesPopup): string[] {
  if (!isGlob(typedFolder(popup).part)) return [];
  return shownEntries(popup).flatMap(({ name, kind }) => (kind === "file" ? [pathIn(popup, name)] : []));
}

/** Marks the files, or unmarks them if all are marked. */
function withMarksToggled(popup: FilesPopup, files: readonly string[]): FilesPopup {
  const areAllMarked = files.every((file) => popup.marked.includes(file));
  const others = popup.marked.filter((file) => !files.includes(file));
  return { ...popup, marked: areAllMarked ? others : [...others, ...files] };
}

/** Whether Space types a blank instead of marking: inside quotes or after a backslash, if a name continues so, or before the names are known. */
export function isSpaceText(popup: FilesPopup): boolean {
  if (unquotePath(popup.query).open) return true;
  if (!isFolderRead(popup)) return popup.query !== "";
  const prefix = `${typedFolder(popup).part.toLowerCase()} `;
  return prefix !== " " && popup.listing!.entries.some(({ name }) => name.toLowerCase().startsWith(prefix));
}

/** Space: toggles the mark of all matches of a pattern, else of the file under the cursor, which then moves on. */
export function withMark(popup: FilesPopup): FilesPopup {
  const matches = globMatches(popup);
  if (matches.length > 0) return withMarksToggled(popup, matches);
  const shown = shownEntries(popup);
  const entry = shown[popup.selected];
  if (entry?.kind !== "file") return popup;
  const selected = Math.min(popup.selected + 1, shown.length - 1);
  return { ...withMarksToggled(popup, [pathIn(popup, entry.name)]), selected };
}

/** The longest common prefix, ignoring case. */
function commonPrefix(names: readonly string[]): string {
  const [first = "", ...rest] = names;
  let length = first.length;
  for (const name of rest) {
    let same = 0;
    while (same < length && name[same]?.toLowerCase() === first[same]!.toLowerCase()) same++;
    length = same;
  }
  return first.slice(0, length);
}

/** Tab: completes the common prefix of the matching names; a single folder is entered. */
export function withCompletedName(popup: FilesPopup): FilesPopup {
  const { folder, part } = typedFolder(popup);
  if (isGlob(part)) return popup;
  const typed = part.toLowerCase();
  const candidates = shownEntries(popup).filter(({ name }) => name.toLowerCase().startsWith(typed));
  const [only] = candidates;
  if (!only) return popup;
  if (candidates.length === 1 && only.kind === "folder")
    return withFolder(popup, path.join(folder, only.name));
  const name = commonPrefix(candidates.map((entry) => entry.name));
  if (name.length <= part.length && candidates.length > 1) return popup;
  return { ...withFolder(popup, folder), query: escapePath(name) };
}
