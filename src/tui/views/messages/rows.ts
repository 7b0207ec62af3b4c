/** Draws the visible rows of a list of messages: the cursor, who is typing, and the count of new messages below. */
import type { MessageSet, ThreadRef } from "../../../model/state.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import type { Wrap } from "../../../text/wrap.ts";
import { feedWindow, type FeedLine } from "./feed/feed.ts";
import type { MessageRows } from "./feed/feeds.ts";
import { blankAbove } from "./list.ts";
import { cellsBetween, overlayLabel } from "../../../text/cells.ts";
import type { Hint } from "../../screen/hints.ts";
import type { ScrollView } from "../../screen/screen.ts";
import type { Theme } from "../../render/theme.ts";

interface ListLook {
  theme: Theme;
  feed: MessageRows;
  place: ThreadRef;
  width: number;
  /** Rows of the window alone. */
  height: number;
  /** The pane has room for the row below the window. */
  hasFooter: boolean;
  view: ScrollView;
  /** The cursor is shown only while the list has the keys. */
  browsing: boolean;
  typers: readonly string[];
  /** Count of messages that arrived while the user was scrolled up. */
  below: number;
  /** Ids of messages that are selected together. */
  selectedIds?: readonly string[];
  /** Hint letters, and the part of them that was typed. */
  hints?: readonly Hint[];
  typed?: string;
}

export function listRows(look: ListLook): string[] {
  const { theme, view, height } = look;
  const window = feedWindow(look.feed, height, view.anchor);
  const selected = look.browsing ? view.selected : undefined;
  const markOf = (id: string): string => (id === selected ? "▌" : look.selectedIds?.includes(id) ? "▎" : "");
  /** The rail runs beside the message, not beside the rules around it. */
  const gutterOf = ({ id, index, row }: FeedLine): string => {
    const mark = markOf(id);
    if (mark === "") return " ";
    const { from, to } = look.feed.messageSpanAt(index);
    return row >= from && row < to ? theme.accent(mark) : " ";
  };
  const rows = window.lines.map((line) => {
    const row = gutterOf(line) + line.text;
    return look.hints?.length ? withHints(row, line, look) : row;
  });
  const blankRows = blankAbove(look.place, window, height);
  rows.unshift(...Array.from({ length: blankRows }, () => ""));
  while (rows.length < height) rows.push("");
  if (look.hasFooter) rows.push(footRow(look, window.atEnd));
  return rows;
}

/** How each row of the list goes on in the next one. */
export function listWraps({
  feed,
  place,
  height,
  view,
}: Pick<ListLook, "place" | "height" | "view"> & { feed: MessageRows }): Wrap[] {
  const window = feedWindow(feed, height, view.anchor);
  const byBlock = new Map<number, readonly Wrap[]>();
  const wraps = window.lines.map(({ index, row }) => {
    const block = byBlock.get(index) ?? feed.wrapsAt(index);
    byBlock.set(index, block);
    return block[row];
  });
  return [...Array.from({ length: blankAbove(place, window, height) }, () => undefined), ...wraps];
}

/** Draws hint letters over a row; on terminals without styles they are in brackets. */
function withHints(
  row: string,
  line: { id: string; row: number },
  { theme, hints, typed = "" }: ListLook,
): string {
  const drawnLabel = (label: string): string =>
    theme.level > 0 || theme.styled ? theme.hint(label) : `[${label}]`;
  return hints!
    .filter((hint) => hint.id === line.id && hint.row === line.row)
    .reduce((text, { x, label, spot }) => {
      const shown = drawnLabel(label.slice(typed.length));
      return overlayLabel(text, spot ? besideSpot(row, x, cellWidth(shown)) : x, shown);
    }, row);
}

/** The column before what can be pressed, if it is blank there, so that the letter covers nothing of it. */
function besideSpot(row: string, x: number, width: number): number {
  const before = x - width;
  return before >= 0 && cellsBetween(row, before, x).trim() === "" ? before : x;
}

/** Count of messages below the window that have not been in sight since the user scrolled up. */
export function newBelow(
  set: MessageSet | undefined,
  view: ScrollView,
  feed: MessageRows,
  height: number,
): number {
  if (!set || view.anchor === undefined || view.seenId === undefined) return 0;
  const seen = set.messages.indexOf(view.seenId);
  const last = feedWindow(feed, height, view.anchor).lines.at(-1)?.id;
  const shown = last === undefined ? -1 : set.messages.indexOf(last);
  return seen < 0 ? 0 : set.messages.length - 1 - Math.max(seen, shown);
}

/** Who is typing at the left, what is further down at the right. */
function footRow({ theme, width, typers, below }: ListLook, atEnd: boolean): string {
  const typing = words.channel.typing(typers);
  const hint = below > 0 ? `↓ ${words.acting.below(below)} ` : atEnd ? "" : "↓ more ";
  const room = width - cellWidth(hint) - 1;
  const left = ` ${truncate(typing, Math.max(0, room - 1))}`;
  const styled = theme.italic(theme.dim(padEnd(left, width - cellWidth(hint))));
  return styled + (below > 0 ? theme.unread(hint) : theme.dim(hint));
}
