/** Scrolling arithmetic: which rows of a list are visible at an anchor (specification/screen.md §2). */

/** A list of blocks of rows; each block is laid out on demand. */
export interface Feed {
  readonly length: number;
  idAt(index: number): string;
  /** −1 when it is not in the list. */
  indexOf(id: string): number;
  /** At least one row. */
  rowsAt(index: number): readonly string[];
  /** Whether the browse cursor may select it (the note at a channel's start may not). */
  isSelectable(index: number): boolean;
}

/** The row at the bottom of the window. */
export interface Anchor {
  id: string;
  row: number;
}

export interface FeedLine {
  /** `id:row`, stable while the block is. */
  key: string;
  id: string;
  index: number;
  row: number;
  text: string;
}

export interface FeedWindow {
  lines: FeedLine[];
  /** The newest row is visible. */
  atEnd: boolean;
}

interface Position {
  index: number;
  row: number;
}

function endOf(feed: Feed): Position {
  const index = feed.length - 1;
  return { index, row: feed.rowsAt(index).length - 1 };
}

/** The position of an anchor; the end without one, and when its block is gone. */
function positionOf(feed: Feed, anchor: Anchor | undefined): Position {
  const index = anchor ? feed.indexOf(anchor.id) : -1;
  if (!anchor || index < 0) return endOf(feed);
  return { index, row: Math.max(0, Math.min(anchor.row, feed.rowsAt(index).length - 1)) };
}

/** Moves by rows; `remaining` is the part beyond the ends of the feed. */
function movedBy(feed: Feed, from: Position, by: number): { at: Position; remaining: number } {
  let { index, row } = from;
  let remaining = by;
  while (remaining < 0) {
    const step = Math.min(-remaining, row);
    row -= step;
    remaining += step;
    if (remaining === 0 || index === 0) break;
    index--;
    row = feed.rowsAt(index).length - 1;
    remaining++;
  }
  while (remaining > 0) {
    const room = feed.rowsAt(index).length - 1 - row;
    const step = Math.min(remaining, room);
    row += step;
    remaining -= step;
    if (remaining === 0 || index === feed.length - 1) break;
    index++;
    row = 0;
    remaining--;
  }
  return { at: { index, row }, remaining };
}

function anchorAt(feed: Feed, at: Position): Anchor | undefined {
  const end = endOf(feed);
  if (at.index === end.index && at.row >= end.row) return undefined;
  return { id: feed.idAt(at.index), row: at.row };
}

/** The visible rows: upward from the anchor, and if these do not fill the window, also below it. */
export function feedWindow(feed: Feed, height: number, anchor: Anchor | undefined): FeedWindow {
  if (feed.length === 0 || height <= 0) return { lines: [], atEnd: true };
  const bottom = positionOf(feed, anchor);
  const upward: FeedLine[] = [];
  const line = (index: number, row: number): FeedLine => {
    const id = feed.idAt(index);
    return { key: `${id}:${row}`, id, index, row, text: feed.rowsAt(index)[row]! };
  };
  let { index, row } = bottom;
  for (;;) {
    upward.push(line(index, row));
    if (upward.length === height) break;
    if (row > 0) row--;
    else if (index > 0) row = feed.rowsAt(--index).length - 1;
    else break;
  }
  const lines = upward.toReversed();
  let last = bottom;
  while (lines.length < height) {
    const next = movedBy(feed, last, 1);
    if (next.remaining) break;
    last = next.at;
    lines.push(line(last.index, last.row));
  }
  const end = endOf(feed);
  return { lines, atEnd: last.index === end.index && last.row === end.row };
}

/** The anchor after scrolling by rows (negative = towards older); undefined = sticks to the newest. */
export function scrolledAnchor(
  feed: Feed,
  height: number,
  anchor: Anchor | undefined,
  by: number,
): Anchor | undefined {
  if (feed.length === 0) return undefined;
  const { at } = movedBy(feed, positionOf(feed, anchor), by);
  // The window stops when the first row is at its top.
  const lowest = movedBy(feed, { index: 0, row: 0 }, height - 1).at;
  const above = at.index < lowest.index || (at.index === lowest.index && at.row < lowest.row);
  return anchorAt(feed, above ? lowest : at);
}

/** The anchor that makes a whole block visible (or as much as fits, from its first row). */
export function revealingAnchor(
  feed: Feed,
  height: number,
  anchor: Anchor | undefined,
  id: string,
): Anchor | undefined {
  const index = feed.indexOf(id);
  if (index < 0) return anchor;
  const { lines } = feedWindow(feed, height, anchor);
  const rows = feed.rowsAt(index).length;
  const first = lines.findIndex((l) => l.index === index && l.row === 0);
  const last = lines.findIndex((l) => l.index === index && l.row === rows - 1);
  if (first >= 0 && (last >= 0 || (rows > height && first === 0))) return anchor;
  const top = lines[0];
  const above = top !== undefined && (index < top.index || (index === top.index && first < 0));
  if (above || rows >= height) return anchorAt(feed, movedBy(feed, { index, row: 0 }, height - 1).at);
  return anchorAt(feed, { index, row: rows - 1 });
}

/** The part of a window that shows what was read before the first unread message. */
const CONTEXT_PART = 4;

/** The anchor that shows a block with some of those before it, and as much as fits of those after it. */
export function unreadAnchor(feed: Feed, height: number, id: string): Anchor | undefined {
  const index = feed.indexOf(id);
  if (index < 0) return undefined;
  const below = height - 1 - Math.floor(height / CONTEXT_PART);
  return anchorAt(feed, movedBy(feed, { index, row: 0 }, below).at);
}

/** The id of the next selectable block; at the ends, that of the block itself. */
export function nextSelectable(feed: Feed, id: string | undefined, by: 1 | -1): string | undefined {
  let index = id === undefined ? -1 : feed.indexOf(id);
  if (index < 0) index = by < 0 ? feed.length : -1;
  for (let i = index + by; i >= 0 && i < feed.length; i += by) if (feed.isSelectable(i)) return feed.idAt(i);
  return index >= 0 && index < feed.length ? feed.idAt(index) : undefined;
}
