/** A window of messages as rows: the browse cursor before them, and under them who is typing and what has come below. */
import type { MessageSet } from "../../../model/state.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { count, words } from "../../../text/words.ts";
import { feedWindow } from "./feed.ts";
import type { Feed } from "./feed.ts";
import type { ScrollView } from "../../screen/screen.ts";
import type { Theme } from "../../render/theme.ts";

interface ListLook {
  theme: Theme;
  feed: Feed;
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
}

/** The rows of the pane; a short list is drawn from the top. */
export function listRows(look: ListLook): string[] {
  const { theme, view, height } = look;
  const window = feedWindow(look.feed, height, view.anchor);
  const selected = look.browsing ? view.selected : undefined;
  const mark = theme.accent("▌");
  const rows = window.lines.map((line) => (line.id === selected ? mark : " ") + line.text);
  while (rows.length < height) rows.push("");
  if (look.foot) rows.push(footRow(look, window.atEnd));
  return rows;
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
  const hint = below > 0 ? `↓ ${count(below, "new message")} ` : atEnd ? "" : "↓ more ";
  const room = width - cellWidth(hint) - 1;
  const left = ` ${truncate(typing, Math.max(0, room - 1))}`;
  const styled = theme.italic(theme.dim(padEnd(left, width - cellWidth(hint))));
  return styled + (below > 0 ? theme.unread(hint) : theme.dim(hint));
}
