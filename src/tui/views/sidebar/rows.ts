/** Rows of the sidebar, each exactly as wide as the pane. */
import { cleanLine } from "../../../text/sanitize.ts";
import { segments } from "../../../text/graphemes.ts";
import { words } from "../../../text/words.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import type { SidebarLine } from "./lines.ts";
import type { Theme } from "../../render/theme.ts";

const tail = (unread: number, mentions: number): string => {
  const most = (n: number): string => (n > 999 ? "999+" : String(n));
  if (mentions > 0) return `@${most(mentions)}`;
  return unread > 0 ? most(unread) : "";
};

/** Replaces emoji by a symbol of certain width, because terminals draw emoji differently and other panes follow at the right (specification/screen.md §6). */
function oneWidth(text: string): string {
  // Compiling the expression of all emoji takes 10 ms, so names without emoji skip it.
  if (!/[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3\ufe0f\u200d]/u.test(text)) return text;
  return text.replace(/\p{RGI_Emoji}/gv, "◆").replace(/[\ufe0f\u200d]/g, "");
}

function line(left: string, right: string, width: number): string {
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
export function filterRow(theme: Theme, width: number, filter: string, none: boolean): string {
  const typed = shownFilter(filter, width);
  const said =
    filter === "" ? words.sidebar.typeName : none ? `${typed} · ${words.sidebar.noChannel}` : typed;
  const row = padEnd(truncate(FILTER_SIGN + said, width), width);
  return filter === "" ? theme.dim(row) : theme.bold(row);
}

/** The column of the text cursor in the filter line. */
export const filterCursor = (width: number, filter: string): number =>
  cellWidth(FILTER_SIGN) + cellWidth(shownFilter(filter, width));

/** At most `height` rows from `top`, with a blank column at the right. */
export function sidebarRows(lines: readonly SidebarLine[], look: ListLook): string[] {
  return lines.slice(look.top, look.top + look.height).map((line) => rowOf(line, look));
}

function rowOf(l: SidebarLine, look: ListLook): string {
  const { theme } = look;
  const width = look.width - 1;
  const finish = (text: string, style: (t: string) => string): string => {
    const padded = padEnd(text, look.width);
    return l.key === look.cursor ? theme.inverse(padded) : style(padded);
  };
  switch (l.kind) {
    case "view":
      return finish(line(l.label, l.count ? String(l.count) : "", width), l.count ? theme.bold : theme.dim);
    case "group": {
      const sum = l.folded ? tail(l.unread, l.mentions) : "";
      return finish(line(`${l.folded ? "▸" : "▾"} ${l.label}`, sum, width), theme.dim);
    }
    case "typing": {
      const names = oneWidth(l.names.slice(0, 2).join(", "));
      const verb = words.sidebar.typing(l.names.length);
      return finish(`    ${truncate(`${names} ${verb}`, width - 4)}`, (t) => theme.italic(theme.dim(t)));
    }
    case "preview":
      return finish(`    ${truncate(oneWidth(l.text), width - 4)}`, theme.dim);
    case "channel": {
      const count = tail(l.muted ? 0 : l.unread, l.mentions);
      const right = [l.draft && !l.open ? "✎" : "", count].filter(Boolean).join(" ");
      const sign = l.online === undefined ? "" : l.online ? "● " : "○ ";
      const text = line(`${l.open ? "›" : " "} ${sign}${oneWidth(l.label)}`, right, width);
      if (l.open) return finish(text, theme.open);
      if (l.muted || l.stale) return finish(text, theme.dim);
      if (l.mentions) return finish(text, (t) => theme.bold(theme.unread(t)));
      return finish(text, l.unread ? theme.bold : (t) => t);
    }
  }
}
