/** Draws the file chooser: folder, typed path, names with sizes and types. */
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, truncate } from "../../../text/width.ts";
import { size, words } from "../../../text/words.ts";
import { PADDING, RULE, box, placeInList, justify, queryRow } from "../../components/box.ts";
import { movedThumb, thumbOf } from "../../components/thumb.ts";
import { selectedRow } from "../../components/selected-row.ts";
import type { Theme } from "../../render/theme.ts";
import { popupRect, popupWidth, windowTop, type Rect } from "../../screen/layout.ts";
import type { FilesPopup } from "../../screen/popup.ts";
import type { DiskEntry } from "../../screen/host.ts";
import { THIS_FOLDER, typedFolder, isFolderRead, globMatches, pathIn, shownEntries } from "./browser.ts";
import { shortPath } from "./paths.ts";

/** Below this width only names are shown. */
const NAMES_ONLY_WIDTH = 30;

/** Rows for a folder that is still being read. */
const LEAST_ROWS = 6;

export const filesRect = (popup: FilesPopup, size: { columns: number; rows: number }): Rect =>
  popupRect(size, {
    width: popupWidth(size.columns, 100),
    height: Math.max(LEAST_ROWS, popup.listing?.entries.length ?? 0) + 4,
  });

/** `png`, `folder`, or that it is not a file that can be sent. */
function kindOf({ name, kind }: DiskEntry): string {
  if (kind === "folder") return words.files.folder;
  if (kind === "other") return words.files.special;
  return /[^.]\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? words.attachment.file;
}

const factsOf = (entry: DiskEntry): string =>
  entry.size === undefined ? kindOf(entry) : `${kindOf(entry)} ${size(entry.size).padStart(7)}`;

/** Why the list is empty. */
function emptyText(popup: FilesPopup): string {
  if (!isFolderRead(popup)) return words.files.reading;
  return popup.listing?.fault ?? (typedFolder(popup).part === "" ? words.files.empty : words.files.none);
}

/** A long path is truncated at its start, because its end says more. */
function titleOf(popup: FilesPopup, cells: number): string {
  const prefix = `${words.files[popup.purpose]} · `;
  const folder = cleanLine(shortPath(typedFolder(popup).folder, popup.home));
  const room = Math.max(1, cells - cellWidth(prefix));
  if (cellWidth(folder) <= room) return prefix + folder;
  let from = folder.length - room + 1;
  while (cellWidth(folder.slice(from)) > room - 1) from++;
  return `${prefix}…${folder.slice(from).toWellFormed()}`;
}

/** How many files Enter would attach if several, else the keys. */
function footerText(popup: FilesPopup): string {
  if (popup.purpose === "save") return words.files.saveKeys;
  if (popup.marked.length > 0) return words.files.marked(popup.marked.length);
  const { length } = globMatches(popup);
  return length > 0 ? words.files.matching(length) : words.files.keys;
}

export function drawFiles(
  popup: FilesPopup,
  props: { theme: Theme; columns: number; rows: number },
): { rect: Rect; rows: string[] } {
  const { theme } = props;
  const rect = filesRect(popup, props);
  const inner = rect.width - 2 - 2 * PADDING;
  const height = rect.height - 4;
  const shown = shownEntries(popup);
  const selected = Math.min(popup.selected, Math.max(0, shown.length - 1));
  const top = windowTop(selected, shown.length, height);
  const lines = shown.slice(top, top + height).map((entry, i) => {
    const sign = popup.marked.includes(pathIn(popup, entry.name)) ? "✓ " : "  ";
    const name =
      entry === THIS_FOLDER ? words.files.here : cleanLine(entry.name) + (entry.kind === "folder" ? "/" : "");
    const facts = entry === THIS_FOLDER || inner < NAMES_ONLY_WIDTH ? "" : factsOf(entry);
    const text = justify(sign + truncate(name, inner - facts.length - 4), facts, inner);
    if (top + i === selected) return selectedRow(theme, ` ${text}`, inner + 2 * PADDING);
    const factsStart = text.length - facts.length;
    return `  ${text.slice(0, factsStart)}${theme.dim(text.slice(factsStart))}`;
  });
  if (shown.length === 0) lines.push(theme.dim(`    ${truncate(emptyText(popup), inner - 2)}`));
  const count = placeInList(selected, shown.length);
  const labels = {
    title: titleOf(popup, inner - cellWidth(count) - 4),
    count,
    foot: footerText(popup),
    thumb: movedThumb(thumbOf(top, height, shown.length), 2),
  };
  return { rect, rows: box(theme, rect, labels, [queryRow(theme, popup.query, rect), RULE, ...lines]) };
}
