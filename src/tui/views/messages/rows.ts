/** A window of messages as rows: the browse cursor before them, and under them who is typing and what has come below. */
import type { MessageSet } from "../../../model/state.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { count, words } from "../../../text/words.ts";
import { feedWindow } from "./feed.ts";
import type { Feed, FeedWindow } from "./feed.ts";
import type { ScrollView } from "../../screen/screen.ts";
import type { Theme } from "../../render/theme.ts";

export interface FeedProps {
  theme: Theme;
  feed: Feed;
  /** Rows of the window alone. */
  height: number;
  view: ScrollView;
  /** The cursor is shown only while the pane has the keys. */
  browsing: boolean;
}

export interface DrawnFeed {
  rows: string[];
  window: FeedWindow;
}

/** At most `height` rows, fewer for a short list (drawn from the top). */
export function drawFeed(props: FeedProps): DrawnFeed {
  const window = feedWindow(props.feed, props.height, props.view.anchor);
  const selected = props.browsing ? props.view.selected : undefined;
  const mark = props.theme.accent("▌");
  const rows = window.lines.map((line) => (line.id === selected ? mark : " ") + line.text);
  return { rows, window };
}

/** Messages that came while the user looked further up. */
export function newBelow(set: MessageSet | undefined, view: ScrollView): number {
  if (!set || view.anchor === undefined || view.seenId === undefined) return 0;
  const at = set.messages.indexOf(view.seenId);
  return at < 0 ? 0 : set.messages.length - 1 - at;
}

/** The pane's last row: typing at the left, the way back down at the right. */
export function footRow(
  theme: Theme,
  width: number,
  typers: readonly string[],
  window: FeedWindow,
  below: number,
): string {
  const typing = words.channel.typing(typers);
  const hint = below > 0 ? `↓ ${count(below, "new message")} ` : window.atEnd ? "" : "↓ more ";
  const room = width - cellWidth(hint) - 1;
  const left = ` ${truncate(typing, Math.max(0, room - 1))}`;
  const styled = theme.italic(theme.dim(padEnd(left, width - cellWidth(hint))));
  return styled + (below > 0 ? theme.unread(hint) : theme.dim(hint));
}
