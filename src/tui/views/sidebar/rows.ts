/** The sidebar's rows as strings: one line each, exactly as wide as the pane. */
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import type { SidebarLine } from "./lines.ts";
import type { Theme } from "../../render/theme.ts";

const tail = (unread: number, mentions: number): string => {
  const most = (n: number): string => (n > 999 ? "999+" : String(n));
  if (mentions > 0) return `@${most(mentions)}`;
  return unread > 0 ? most(unread) : "";
};

/** Emoji are where terminals disagree about widths: left of other panes they become one safe sign each (specification/screen.md §6). */
function oneWidth(text: string): string {
  // Making the expression of all emoji takes 10 ms: only a name that may hold one pays for it.
  if (!/[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3\ufe0f\u200d]/u.test(text)) return text;
  return text.replace(/\p{RGI_Emoji}/gv, "◆").replace(/[\ufe0f\u200d]/g, "");
}

function line(left: string, right: string, width: number): string {
  const room = width - (right ? cellWidth(right) + 1 : 0);
  return padEnd(truncate(left, Math.max(1, room)), room) + (right ? ` ${right}` : "");
}

interface SidebarLook {
  theme: Theme;
  width: number;
  height: number;
  top: number;
  /** Key of the line under the cursor, while the sidebar has the keys. */
  cursor: string | undefined;
}

/** At most `height` rows from `top`; one blank column stands at the right edge. */
export function sidebarRows(lines: readonly SidebarLine[], look: SidebarLook): string[] {
  return lines.slice(look.top, look.top + look.height).map((line) => rowOf(line, look));
}

function rowOf(l: SidebarLine, look: SidebarLook): string {
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
      const verb = l.names.length === 1 ? "is typing…" : "are typing…";
      return finish(`    ${truncate(`${names} ${verb}`, width - 4)}`, (t) => theme.italic(theme.dim(t)));
    }
    case "channel": {
      const count = tail(l.muted ? 0 : l.unread, l.mentions);
      const right = [l.draft && !l.open ? "✎" : "", count].filter(Boolean).join(" ");
      const sign = l.online === undefined ? (l.open ? "›" : " ") : l.online ? "●" : "○";
      const text = line(
        `${l.open ? "›" : " "}${sign === "›" ? " " : sign}${oneWidth(l.label)}`,
        right,
        width,
      );
      if (l.muted || l.stale) return finish(text, theme.dim);
      if (l.mentions) return finish(text, (t) => theme.bold(theme.unread(t)));
      if (l.open) return finish(text, theme.open);
      return finish(text, l.unread ? theme.bold : (t) => t);
    }
  }
}
