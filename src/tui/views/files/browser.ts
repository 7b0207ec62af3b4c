/** The list of files to choose from as data: the typed path, the shown entries, marks. */
import { compareNames } from "../../screen/name-order.ts";
import path from "node:path";
import { globTest, isGlob } from "../../../text/glob.ts";
import type { DiskEntry } from "../../screen/host.ts";
import type { FilesPopup } from "../../screen/popup.ts";
import { escaped, resolved, unquoted } from "./paths.ts";

/** What is typed: the folder it leads to, and the beginning of a name in it. */
export function folderAsked(popup: FilesPopup): { folder: string; part: string } {
  const { text } = unquoted(popup.query);
  const cut = Math.max(text.lastIndexOf("/"), path.sep === "\\" ? text.lastIndexOf("\\") : -1) + 1;
  const bases = { home: popup.home, cwd: popup.folder };
  if (text === "~") return { folder: popup.home, part: "" };
  return {
    folder: cut === 0 ? popup.folder : resolved(text.slice(0, cut), bases),
    part: text.slice(cut),
  };
}

/** The folder that is shown has been read. */
export const isFolderRead = (popup: FilesPopup): boolean =>
  popup.listing?.folder === folderAsked(popup).folder;

/** Folders first; of a name the beginning comes before the middle. */
function order(a: DiskEntry, b: DiskEntry, wanted: string): number {
  const folders = Number(b.kind === "folder") - Number(a.kind === "folder");
  const begins = (entry: DiskEntry): number => Number(entry.name.toLowerCase().startsWith(wanted));
  return begins(b) - begins(a) || folders || compareNames(a.name, b.name);
}

/** Stands for the folder itself, where one is chosen; it need not be there yet. */
export const HERE: DiskEntry = { name: ".", kind: "folder" };

/** What of the folder is shown, in order; hidden files where a dot was typed. Folders alone where one is looked for. */
export function shownIn(popup: FilesPopup): readonly DiskEntry[] {
  const { part } = folderAsked(popup);
  const wanted = part.toLowerCase();
  const fits = isGlob(part)
    ? globTest(part)
    : (name: string): boolean =>
        (part.startsWith(".") || !name.startsWith(".")) && name.toLowerCase().includes(wanted);
  const here = popup.purpose === "save" && part === "" ? [HERE] : [];
  const found = (isFolderRead(popup) ? popup.listing!.entries : [])
    .filter(({ name, kind }) => fits(name) && (popup.purpose === "attach" || kind === "folder"))
    .toSorted((a, b) => order(a, b, wanted));
  return [...here, ...found];
}

export const pathIn = (popup: FilesPopup, name: string): string => path.join(folderAsked(popup).folder, name);

/** Another folder with everything of it. */
export const inFolder = (popup: FilesPopup, folder: string): FilesPopup => ({
  ...popup,
  folder,
  query: "",
  selected: 0,
});

export const above = (popup: FilesPopup): FilesPopup => {
  const { folder } = folderAsked(popup);
  return inFolder(popup, path.dirname(folder));
};

/** Files that a pattern means; none where none is typed. */
export function meantByGlob(popup: FilesPopup): string[] {
  if (!isGlob(folderAsked(popup).part)) return [];
  return shownIn(popup).flatMap(({ name, kind }) => (kind === "file" ? [pathIn(popup, name)] : []));
}

/** A mark on the files or, where all of them have it, none; folders take no mark. */
function toggled(popup: FilesPopup, files: readonly string[]): FilesPopup {
  const all = files.every((file) => popup.marked.includes(file));
  const rest = popup.marked.filter((file) => !files.includes(file));
  return { ...popup, marked: all ? rest : [...rest, ...files] };
}

/** A blank is written, not a mark: a name goes on with it, a quote or a backslash wants it, or nobody knows the names yet. */
export function takesBlank(popup: FilesPopup): boolean {
  if (unquoted(popup.query).open) return true;
  if (!isFolderRead(popup)) return popup.query !== "";
  const begun = `${folderAsked(popup).part.toLowerCase()} `;
  return begun !== " " && popup.listing!.entries.some(({ name }) => name.toLowerCase().startsWith(begun));
}

/** Space: all that a pattern means, else the file under the cursor, which goes on. */
export function marked(popup: FilesPopup): FilesPopup {
  const globbed = meantByGlob(popup);
  if (globbed.length > 0) return toggled(popup, globbed);
  const shown = shownIn(popup);
  const at = shown[popup.selected];
  if (at?.kind !== "file") return popup;
  const selected = Math.min(popup.selected + 1, shown.length - 1);
  return { ...toggled(popup, [pathIn(popup, at.name)]), selected };
}

/** The longest beginning that all names share, without regard to case. */
function shared(names: readonly string[]): string {
  const [first = "", ...rest] = names;
  let length = first.length;
  for (const name of rest) {
    let same = 0;
    while (same < length && name[same]?.toLowerCase() === first[same]!.toLowerCase()) same++;
    length = same;
  }
  return first.slice(0, length);
}

/** Tab: the name as far as it is clear; a folder that is meant alone is entered. */
export function completed(popup: FilesPopup): FilesPopup {
  const { folder, part } = folderAsked(popup);
  if (isGlob(part)) return popup;
  const begun = shownIn(popup).filter(({ name }) => name.toLowerCase().startsWith(part.toLowerCase()));
  const [only] = begun;
  if (!only) return popup;
  if (begun.length === 1 && only.kind === "folder") return inFolder(popup, path.join(folder, only.name));
  const name = shared(begun.map((entry) => entry.name));
  if (name.length <= part.length && begun.length > 1) return popup;
  return { ...inFolder(popup, folder), query: escaped(name) };
}
