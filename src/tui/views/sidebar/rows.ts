/** Rows of the sidebar, each exactly as wide as the pane. */
import { cleanLine } from "../../../text/sanitize.ts";
import { segments } from "../../../text/graphemes.ts";
import { words } from "../../../text/words.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { linesShown, placeInList } from "../../components/box.ts";
import { cursorRow } from "../../components/selected-row.ts";
import { thumbOf } from "../../components/thumb.ts";
import { overlayLabel } from "../../../text/cells.ts";
import { newIn, type SidebarLine, type SidebarWindow } from "./lines.ts";
import type { Theme } from "../../render/theme.ts";

const unreadBadge = (unread: number, mentions: number): string => {
  const capped = (n: number): string => (n > 999 ? "999+" : String(n));
  if (mentions > 0) return `@${capped(mentions)}`;
  return unread > 0 ? capped(unread) : "";
};

/** Replaces emoji by a symbol of certain width, because terminals draw emoji differently and other panes follow at the right (specification/screen.md §6). */
function withoutEmoji(text: string): string {
  // Compiling the expression of all emoji takes 10 ms, so names without emoji skip it.
  if (!/[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3\ufe0f\u200d]/u.test(text)) return text;
  return text.replace(/\p{RGI_Emoji}/gv, "◆").replace(/[\ufe0f\u200d]/g, "");
}

function twoColumns(left: string, right: string, width: number): string {
  const room = width - (right ? cellWidth(right) + 1 : 0);
  return padEnd(truncate(left, Math.max(1, room)), room) + (right ? ` ${right}` : "");
}

interface ListLook {
  theme: Theme;
  width: number;
  /** Key of the selected line, while the sidebar has the focus. */
  cursor: string | undefined;
}

/** The prompt of the filter. */
const FILTER_SIGN = " / ";

/** The end of the filter text that fits. */
function shownFilter(filter: string, width: number): string {
  const clean = cleanLine(filter);
  const room = Math.max(1, width - cellWidth(FILTER_SIGN) - 1);
  const all = [...segments(clean)];
  let from = all.length;
  for (let left = room; from > 0; from--) {
    left -= cellWidth(all[from - 1]!.segment);
    if (left < 0) break;
  }
  return all
    .slice(from)
    .map(({ segment }) => segment)
    .join("");
}

/** The filter line; `none` = no channel matches. */
export function filterRow(theme: Theme, width: number, filter: string, hasNoMatch: boolean): string {
  const shown = shownFilter(filter, width);
  const text =
    filter === "" ? words.sidebar.typeName : hasNoMatch ? `${shown} · ${words.sidebar.noChannel}` : shown;
  const row = padEnd(truncate(FILTER_SIGN + text, width), width);
  return filter === "" ? theme.dim(row) : theme.bold(row);
}

/** The column of the text cursor in the filter line. */
export const filterCursor = (width: number, filter: string): number =>
  cellWidth(FILTER_SIGN) + cellWidth(shownFilter(filter, width));

/** The rows in sight; the right column is for the thumb, and the last row for what is new above and below. */
export function sidebarRows(window: SidebarWindow, look: ListLook): string[] {
  const { views, channels, top, height, fits } = window;
  const hasView = views.some((line) => line.kind === "view" && line.open);
  const shown = channels.slice(top, top + height);
  const rows = [...views, ...shown].map((line) => rowOf(line, look, hasView));
  if (fits) return rows;
  const thumb = thumbOf(top, height, channels.length);
  const { theme, width } = look;
  const withThumb = rows.map((row, at) => {
    const isThumb = thumb && at - views.length >= thumb.from && at - views.length < thumb.to;
    return isThumb ? overlayLabel(row, width - 1, theme.line("▐")) : row;
  });
  while (withThumb.length < views.length + height) withThumb.push("");
  const elsewhere = elsewhereLabel(newIn(channels.slice(0, top)), newIn(channels.slice(top + height)));
  return [...withThumb, lastRow(elsewhere, placeOf(window, look.cursor), look)];
}

/** `12 of 500`: which channel has the cursor; without one, those in sight. */
function placeOf({ channels, top, height }: SidebarWindow, cursor: string | undefined): string {
  const countOf = (lines: readonly SidebarLine[]): number =>
    lines.filter(({ kind }) => kind === "channel").length;
  const length = countOf(channels);
  const at = channels.findIndex(({ kind, key }) => kind === "channel" && key === cursor);
  if (at >= 0) return placeInList(countOf(channels.slice(0, at)), length);
  return linesShown(countOf(channels.slice(0, top)), countOf(channels.slice(top, top + height)), length);
}

/** `↑ @1   ↓ 5`: what is new above and below the rows in sight. */
function elsewhereLabel(
  above: { unread: number; mentions: number },
  below: { unread: number; mentions: number },
): { text: string; mentions: boolean } {
  const parts = [["↑", above] as const, ["↓", below] as const].flatMap(([sign, { unread, mentions }]) => {
    const badge = unreadBadge(unread, mentions);
    return badge ? [`${sign} ${badge}`] : [];
  });
  return { text: parts.join("   "), mentions: above.mentions + below.mentions > 0 };
}

/** What is new elsewhere, and at the right where one is, if both fit. */
function lastRow(
  { text, mentions }: ReturnType<typeof elsewhereLabel>,
  place: string,
  look: ListLook,
): string {
  const { theme, width } = look;
  const news = truncate(` ${text}`, width);
  const fits = cellWidth(news) + cellWidth(place) + 2 < width;
  const right = fits ? `${place} ` : "";
  const left = padEnd(news, width - cellWidth(right));
  return theme.bold(mentions ? theme.unread(left) : left) + theme.dim(right);
}

/** The row after its first cell, which is for the bar of the open and the selected row. */
function textOf(line: SidebarLine, width: number): string {
  switch (line.kind) {
    case "blank":
      return "";
    case "note":
      return words.sidebar.unreadOnly;
    case "view":
      return twoColumns(line.label, line.count ? String(line.count) : "", width);
    case "group": {
      const sum = line.folded ? unreadBadge(line.unread, line.mentions) : "";
      return twoColumns(`${line.folded ? "▸" : "▾"} ${line.label}`, sum, width);
    }
    case "typing": {
      const names = withoutEmoji(line.names.slice(0, 2).join(", "));
      return truncate(`    ${names} ${words.sidebar.typing(line.names.length)}`, width);
    }
    case "preview":
      return truncate(`    ${withoutEmoji(line.text)}`, width);
    case "channel": {
      const count = unreadBadge(line.muted ? 0 : line.unread, line.mentions);
      const right = [line.draft && !line.open ? "✎" : "", count].filter(Boolean).join(" ");
      const sign = line.online === undefined ? "" : line.online ? "● " : "○ ";
      return twoColumns(`  ${sign}${withoutEmoji(line.label)}`, right, width);
    }
  }
}

function styleOf(line: SidebarLine, theme: Theme): (text: string) => string {
  switch (line.kind) {
    case "view":
      return line.count ? theme.bold : theme.dim;
    case "channel":
      if (line.muted || line.stale) return theme.dim;
      if (line.mentions) return (text) => theme.bold(theme.unread(text));
      return line.unread ? theme.bold : (text) => text;
    case "typing":
      return (text) => theme.italic(theme.dim(text));
    default:
      return theme.dim;
  }
}

/** The open row has the bar while no other row has the cursor. */
function rowOf(line: SidebarLine, { theme, width, cursor }: ListLook, hasView: boolean): string {
  const text = textOf(line, width - 2);
  const isOpen = (line.kind === "channel" || line.kind === "view") && line.open;
  if (line.key === cursor) return cursorRow(theme, isOpen ? theme.own(text) : text, width);
  if (isOpen && hasView && line.kind === "channel") return styleOf(line, theme)(padEnd(`›${text}`, width));
  if (isOpen) return theme.open(padEnd(`${cursor === undefined ? "▌" : "›"}${text}`, width));
  return styleOf(line, theme)(padEnd(` ${text}`, width));
}
