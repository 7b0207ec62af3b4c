/** Rows of the sidebar, each exactly as wide as the pane. */
import { cleanLine } from "../../../text/sanitize.ts";
import { segments } from "../../../text/graphemes.ts";
import { words } from "../../../text/words.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import type { SidebarLine } from "./lines.ts";
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
  height: number;
  top: number;
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

/** At most `height` rows from `top`, with a blank column at the right. */
export function sidebarRows(lines: readonly SidebarLine[], look: ListLook): string[] {
  return lines.slice(look.top, look.top + look.height).map((line) => rowOf(line, look));
}

function rowOf(line: SidebarLine, look: ListLook): string {
  const { theme } = look;
  const width = look.width - 1;
  const finish = (text: string, style: (t: string) => string): string => {
    const padded = padEnd(text, look.width);
    return line.key === look.cursor ? theme.inverse(padded) : style(padded);
  };
  switch (line.kind) {
    case "view":
      return finish(
        twoColumns(line.label, line.count ? String(line.count) : "", width),
        line.count ? theme.bold : theme.dim,
      );
    case "group": {
      const sum = line.folded ? unreadBadge(line.unread, line.mentions) : "";
      return finish(twoColumns(`${line.folded ? "▸" : "▾"} ${line.label}`, sum, width), theme.dim);
    }
    case "typing": {
      const names = withoutEmoji(line.names.slice(0, 2).join(", "));
      const verb = words.sidebar.typing(line.names.length);
      return finish(`    ${truncate(`${names} ${verb}`, width - 4)}`, (t) => theme.italic(theme.dim(t)));
    }
    case "preview":
      return finish(`    ${truncate(withoutEmoji(line.text), width - 4)}`, theme.dim);
    case "channel": {
      const count = unreadBadge(line.muted ? 0 : line.unread, line.mentions);
      const right = [line.draft && !line.open ? "✎" : "", count].filter(Boolean).join(" ");
      const sign = line.online === undefined ? "" : line.online ? "● " : "○ ";
      const text = twoColumns(`${line.open ? "›" : " "} ${sign}${withoutEmoji(line.label)}`, right, width);
      if (line.open) return finish(text, theme.open);
      if (line.muted || line.stale) return finish(text, theme.dim);
      if (line.mentions) return finish(text, (t) => theme.bold(theme.unread(t)));
      return finish(text, line.unread ? theme.bold : (t) => t);
    }
  }
}
