/** Rows of a window of messages: the cursor, who is typing, and what has arrived below. */
import type { MessageSet, ThreadRef } from "../../../model/state.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { feedWindow, type Feed } from "./feed/feed.ts";
import { blankAbove } from "./list.ts";
import { drawnOver } from "../../../text/cells.ts";
import type { Hint } from "../../screen/hints.ts";
import type { ScrollView } from "../../screen/screen.ts";
import type { Theme } from "../../render/theme.ts";

interface ListLook {
  theme: Theme;
  feed: Feed;
  place: ThreadRef;
  width: number;
  /** Rows of the window alone. */
  height: number;
  /** There is a row below the window. */
  foot: boolean;
  view: ScrollView;
  /** The cursor is shown only while the list has the keys. */
  browsing: boolean;
  /** Who is writing in this place. */
  typers: readonly string[];
  /** Messages that came while the user looked further up. */
  below: number;
  /** Ids of messages that are selected together. */
  chosen?: readonly string[];
  /** Letters over what can be pressed, and what was typed of them. */
  hints?: readonly Hint[];
  typed?: string;
}

/** The rows of the pane. */
export function listRows(look: ListLook): string[] {
  const { theme, view, height } = look;
  const window = feedWindow(look.feed, height, view.anchor);
  const selected = look.browsing ? view.selected : undefined;
  const gutterOf = (id: string): string =>
    id === selected ? theme.accent("▌") : look.chosen?.includes(id) ? theme.accent("▎") : " ";
  const rows = window.lines.map((line) => {
    const row = gutterOf(line.id) + line.text;
    return look.hints?.length ? withHints(row, line, look) : row;
  });
  const above = blankAbove(look.place, window, height);
  rows.unshift(...Array.from({ length: above }, () => ""));
  while (rows.length < height) rows.push("");
  if (look.foot) rows.push(footRow(look, window.atEnd));
  return rows;
}

/** The letters over a row; where nothing can be inverted they stand in brackets. */
function withHints(
  row: string,
  line: { id: string; row: number },
  { theme, hints, typed = "" }: ListLook,
): string {
  const drawn = (label: string): string =>
    theme.level > 0 || theme.styled ? theme.hint(label) : `[${label}]`;
  return hints!
    .filter((hint) => hint.id === line.id && hint.row === line.row)
    .reduce((text, { x, label }) => drawnOver(text, x, drawn(label.slice(typed.length))), row);
}

/** Messages that came while the user looked further up. */
export function newBelow(set: MessageSet | undefined, view: ScrollView): number {
  if (!set || view.anchor === undefined || view.seenId === undefined) return 0;
  const at = set.messages.indexOf(view.seenId);
  return at < 0 ? 0 : set.messages.length - 1 - at;
}

/** Typing at the left, the way back down at the right. */
function footRow({ theme, width, typers, below }: ListLook, atEnd: boolean): string {
  const typing = words.channel.typing(typers);
  const hint = below > 0 ? `↓ ${words.acting.below(below)} ` : atEnd ? "" : "↓ more ";
  const room = width - cellWidth(hint) - 1;
  const left = ` ${truncate(typing, Math.max(0, room - 1))}`;
  const styled = theme.italic(theme.dim(padEnd(left, width - cellWidth(hint))));
  return styled + (below > 0 ? theme.unread(hint) : theme.dim(hint));
}
