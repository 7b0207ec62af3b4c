/** Lays out a list: title, entries and footer, and finds the entry at a row. */
import { words } from "../../../text/words.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { truncate } from "../../../text/width.ts";
import { titleRow } from "../../components/title-row.ts";
import type { Rect } from "../../screen/layout.ts";
import type { ListName } from "../../screen/screen.ts";
import type { Reads } from "../../screen/store.ts";
import { ENTRY_SLICES, listCounts, listCursorIndex, entriesOf, loadingOf } from "./entries.ts";
import type { ListEntry } from "./entry.ts";
import { emptyRows, visibleLines, type ListLook } from "./rows.ts";

/** The title and the footer. */
const FRAME_ROWS = 2;

/** The slices that a list is drawn from. */
export const LIST_SLICES = ["look", "cursors", ...ENTRY_SLICES] as const;

export type ListInput = Reads<(typeof LIST_SLICES)[number]>;

const lookFor = (
  { look, now }: ListInput,
  { width, height }: Rect,
  cursor: number,
  focused: boolean,
): ListLook => ({
  theme: look.theme,
  width,
  height: Math.max(1, height - FRAME_ROWS),
  now,
  utc: look.utc,
  glyphs: look.glyphs,
  cursor,
  focused,
});

/** `Threads · 2 unread` */
function titleOf(model: ListInput, list: ListName): string {
  const n = list === "pins" ? entriesOf(model, list).length : listCounts(model)[list];
  return n > 0 ? `${words.places[list]} · ${words.lists.counted[list](n)}` : words.places[list];
}

/** Below the entries: that more is loading, or why loading failed. */
function footerOf({ lists, look }: ListInput, list: ListName, width: number): string {
  const loading = loadingOf(lists, list);
  if (loading?.error !== undefined)
    return look.theme.bad(truncate(` ${words.lists.failed(cleanLine(loading.error))}`, width));
  return loading?.loading ? look.theme.dim(` ${words.message.loading}`) : "";
}

function bodyOf(model: ListInput, list: ListName, entries: readonly ListEntry[], look: ListLook): string[] {
  if (entries.length > 0) return visibleLines(entries, look).map(({ text }) => text);
  const loading = loadingOf(model.lists, list);
  return loading && !loading.loaded ? [] : emptyRows(words.lists.empty[list], look);
}

export function drawnList(model: ListInput, list: ListName, rect: Rect, focused: boolean): string[] {
  const entries = entriesOf(model, list);
  const look = lookFor(model, rect, listCursorIndex(model.screen, list, entries), focused);
  const body = bodyOf(model, list, entries, look);
  while (body.length < look.height) body.push("");
  return [
    titleRow(look.theme, titleOf(model, list), "", rect.width),
    ...body,
    footerOf(model, list, rect.width),
  ];
}

/** Index of the entry at a row of the panel (0 = title); undefined where there is none. */
export function entryAtRow(model: ListInput, list: ListName, rect: Rect, row: number): number | undefined {
  const entries = entriesOf(model, list);
  const look = lookFor(model, rect, listCursorIndex(model.screen, list, entries), true);
  return visibleLines(entries, look)[row - 1]?.index;
}
