/** Rows of the list of files: folder, typed path, names with sizes and kinds. */
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, truncate } from "../../../text/width.ts";
import { size, words } from "../../../text/words.ts";
import { box, shownQuery, spread, scrollPosition } from "../../components/box.ts";
import type { Theme } from "../../render/theme.ts";
import { popupRect, windowTop, type Rect } from "../../screen/layout.ts";
import type { FilesPopup } from "../../screen/popup.ts";
import type { DiskEntry } from "../../screen/host.ts";
import { HERE, folderAsked, isFolderRead, meantByGlob, pathIn, shownIn } from "./browser.ts";
import { shortPath } from "./paths.ts";

const WIDTH = 76;
const LIST_ROWS = 16;
/** Cells in which there is room for names and nothing else. */
const NAMES_ALONE = 30;

/** Header, writing box and hints stay in view around it. */
export const filesRect = ({ columns, rows }: { columns: number; rows: number }): Rect =>
  popupRect(columns, rows, WIDTH, Math.max(2, Math.min(LIST_ROWS, rows - 8)) + 4);

/** `png`, `folder`, or that it is nothing to send. */
function kindOf({ name, kind }: DiskEntry): string {
  if (kind === "folder") return words.files.folder;
  if (kind === "other") return words.files.special;
  return /[^.]\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? words.attachment.file;
}

const factsOf = (entry: DiskEntry): string =>
  entry.size === undefined ? kindOf(entry) : `${kindOf(entry)} ${size(entry.size).padStart(7)}`;

/** Why the list is empty. */
function nothing(popup: FilesPopup): string {
  if (!isFolderRead(popup)) return words.files.reading;
  return popup.listing?.fault ?? (folderAsked(popup).part === "" ? words.files.empty : words.files.none);
}

/** The end of a long path says more than its beginning. */
function titleOf(popup: FilesPopup, cells: number): string {
  const lead = `${words.files[popup.purpose]} · `;
  const folder = cleanLine(shortPath(folderAsked(popup).folder, popup.home));
  const room = Math.max(1, cells - cellWidth(lead));
  if (cellWidth(folder) <= room) return lead + folder;
  let from = folder.length - room + 1;
  while (cellWidth(folder.slice(from)) > room - 1) from++;
  return `${lead}…${folder.slice(from).toWellFormed()}`;
}

/** What Enter would take where that is more than the line under the cursor, else what else can be done. */
function taken(popup: FilesPopup): string {
  if (popup.purpose === "save") return words.files.saveKeys;
  if (popup.marked.length > 0) return words.files.marked(popup.marked.length);
  const { length } = meantByGlob(popup);
  return length > 0 ? words.files.matching(length) : words.files.keys;
}

export function drawFiles(
  popup: FilesPopup,
  props: { theme: Theme; columns: number; rows: number },
): { rect: Rect; rows: string[] } {
  const { theme } = props;
  const rect = filesRect(props);
  const inner = rect.width - 4;
  const height = rect.height - 4;
  const shown = shownIn(popup);
  const selected = Math.min(popup.selected, Math.max(0, shown.length - 1));
  const top = windowTop(selected, shown.length, height);
  const lines = shown.slice(top, top + height).map((entry, i) => {
    const sign = popup.marked.includes(pathIn(popup, entry.name)) ? "✓ " : "  ";
    const name =
      entry === HERE ? words.files.here : cleanLine(entry.name) + (entry.kind === "folder" ? "/" : "");
    const facts = entry === HERE || inner < NAMES_ALONE ? "" : factsOf(entry);
    const text = spread(sign + truncate(name, inner - facts.length - 4), facts, inner);
    if (top + i === selected) return theme.inverse(`›${text} `);
    const cut = text.length - facts.length;
    return ` ${text.slice(0, cut)}${theme.dim(text.slice(cut))} `;
  });
  if (shown.length === 0) lines.push(theme.dim(`   ${truncate(nothing(popup), inner - 2)}`));
  const foot = [taken(popup), scrollPosition(top, height, shown.length)].filter(Boolean).join(" · ");
  const title = titleOf(popup, inner - 4);
  const body = [
    ` ${theme.accent("›")} ${shownQuery(popup.query, rect)}`,
    theme.dim("─".repeat(rect.width - 2)),
  ];
  return { rect, rows: box(theme, rect, title, [...body, ...lines], foot) };
}
