/** Lays out a list: title, entries and foot, and which entry is in which row. */
import { words } from "../../../text/words.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { truncate } from "../../../text/width.ts";
import { titleRow } from "../../components/title-row.ts";
import type { Rect } from "../../screen/layout.ts";
import type { ListName } from "../../screen/screen.ts";
import type { Snapshot } from "../../screen/store.ts";
import { listCounts, cursorIn, entriesOf, loadingOf } from "./entries.ts";
import type { ListEntry } from "./entry.ts";
import { emptyRows, shownLines, type ListLook } from "./rows.ts";

/** Rows of the rectangle that hold no entry: the title and the foot. */
const FRAME = 2;

const lookIn = (
  { look, now }: Snapshot,
  { width, height }: Rect,
  cursor: number,
  focused: boolean,
): ListLook => ({
  theme: look.theme,
  width,
  height: Math.max(1, height - FRAME),
  now,
  utc: look.utc,
  glyphs: look.glyphs,
  cursor,
  focused,
});

/** `Threads · 2 unread` */
function titleOf(model: Snapshot, list: ListName): string {
  const n = list === "pins" ? entriesOf(model, list).length : listCounts(model)[list];
  return n > 0 ? `${words.places[list]} · ${words.lists.counted[list](n)}` : words.places[list];
}

/** What is under the entries: more on its way, or why it did not come. */
function footOf({ lists, look }: Snapshot, list: ListName, width: number): string {
  const loading = loadingOf(lists, list);
  if (loading?.error !== undefined)
    return look.theme.bad(truncate(` ${words.lists.failed(cleanLine(loading.error))}`, width));
  return loading?.loading ? look.theme.dim(` ${words.message.loading}`) : "";
}

function bodyOf(model: Snapshot, list: ListName, entries: readonly ListEntry[], look: ListLook): string[] {
  if (entries.length > 0) return shownLines(entries, look).map(({ text }) => text);
  const loading = loadingOf(model.lists, list);
  return loading && !loading.loaded ? [] : emptyRows(words.lists.empty[list], look);
}

/** All rows of the rectangle. */
export function listPane(model: Snapshot, list: ListName, rect: Rect, focused: boolean): string[] {
  const entries = entriesOf(model, list);
  const look = lookIn(model, rect, cursorIn(model.screen, list, entries), focused);
  const body = bodyOf(model, list, entries, look);
  while (body.length < look.height) body.push("");
  return [
    titleRow(look.theme, titleOf(model, list), "", rect.width),
    ...body,
    footOf(model, list, rect.width),
  ];
}

/** Index of the entry in a row of the rectangle, counted from its top; undefined where none stands. */
export function entryIn(model: Snapshot, list: ListName, rect: Rect, row: number): number | undefined {
  const entries = entriesOf(model, list);
  const look = lookIn(model, rect, cursorIn(model.screen, list, entries), true);
  return shownLines(entries, look)[row - 1]?.index;
}
