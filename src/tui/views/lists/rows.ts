/** Rows of a list: group heads, and for each entry where, when, who and what. */
import { cellWidth, fitTerminal, padEnd, truncate, type WidthPolicy } from "../../../text/width.ts";
import { shortWhen } from "../../../text/times.ts";
import { wrapText } from "../../../text/wrap.ts";
import { words } from "../../../text/words.ts";
import type { Theme } from "../../render/theme.ts";
import { windowTop } from "../../screen/layout.ts";
import type { ListEntry } from "./entry.ts";

export interface ListLook {
  theme: Theme;
  width: number;
  height: number;
  now: number;
  utc: boolean;
  glyphs?: WidthPolicy | undefined;
  /** Index of the entry under the cursor; −1 in an empty list. */
  cursor: number;
  /** The list has the keys: the cursor is shown. */
  focused: boolean;
}

/** A row, and the index of the entry it belongs to; a head belongs to the entry under it. */
interface Line {
  text: string;
  index: number;
}

/** `2 new · @1`, a note of its own, or nothing. */
function newsOf({ fresh, mentions, note }: ListEntry): string {
  if (note !== undefined) return note;
  const parts = [fresh > 0 && words.lists.fresh(fresh), mentions && `@${mentions}`];
  return parts.filter(Boolean).join(" · ");
}

/** Where at the left, what is new and when at the right, in `width` cells. */
function headOf(entry: ListEntry, look: ListLook, width: number): string {
  const { theme } = look;
  const news = newsOf(entry);
  const when = entry.at === undefined ? "" : shortWhen(entry.at, look.now, look);
  const right = [news, when].filter(Boolean).join(" · ");
  const room = Math.max(1, width - (right ? cellWidth(right) + 1 : 0));
  const where = padEnd(truncate(fitTerminal(entry.where, look.glyphs), room), room);
  const styled = entry.fresh > 0 ? theme.bold(where) : where;
  if (!right) return styled;
  const said = news ? theme.unread(news) + theme.dim(right.slice(news.length)) : theme.dim(right);
  return `${styled} ${entry.fresh > 0 ? said : theme.dim(right)}`;
}

/** The rows of one entry without the cursor before them. */
function rowsOf(entry: ListEntry, look: ListLook): string[] {
  const width = Math.max(4, look.width - 2);
  const said = entry.said.map(({ who, text }, i) => {
    const sign = i === 0 ? "" : "↳ ";
    const line = `${sign}${who === undefined ? "" : `${who}: `}${text || words.message.empty}`;
    return look.theme.dim(truncate(fitTerminal(line, look.glyphs), width));
  });
  return [headOf(entry, look, width), ...said];
}

/** All rows of all entries. */
function linesOf(entries: readonly ListEntry[], look: ListLook): Line[] {
  const { theme, cursor, focused } = look;
  const sums = Map.groupBy(entries, ({ group }) => group);
  return entries.flatMap((entry, index) => {
    const mark = focused && index === cursor ? theme.accent("▌") : " ";
    const rows = rowsOf(entry, look).map((row): Line => ({ text: mark + row, index }));
    const { group } = entry;
    if (group === undefined || entries[index - 1]?.group === group) return rows;
    const head = truncate(`── ${group} · ${sums.get(group)!.length} `, look.width);
    const rule = "─".repeat(Math.max(0, look.width - 1 - cellWidth(head)));
    return [{ text: theme.dim(head + rule), index }, ...rows];
  });
}

/** What is in sight: the entry under the cursor is, with the head above it. */
export function shownLines(entries: readonly ListEntry[], look: ListLook): Line[] {
  const lines = linesOf(entries, look);
  const at = lines.findIndex(({ index }) => index === look.cursor);
  const top = windowTop(Math.max(0, at), lines.length, look.height);
  return lines.slice(top, top + look.height);
}

/** Sentences where there are no entries. */
export const emptyRows = (said: string, { theme, width }: Pick<ListLook, "theme" | "width">): string[] => [
  "",
  ...wrapText(said, Math.max(8, width - 2)).map((row) => ` ${theme.dim(row)}`),
];

/** One line an entry, for a reader: the group where one begins, where, what is new, when, who said what. */
export function spokenEntries(entries: readonly ListEntry[], how: Pick<ListLook, "now" | "utc">): string[] {
  return entries.flatMap((entry, i) => {
    const when = entry.at === undefined ? "" : shortWhen(entry.at, how.now, how);
    const head = [entry.where, newsOf(entry), when].filter(Boolean).join(", ");
    const said = entry.said.map(({ who, text }) => (who === undefined ? text : `${who}: ${text}`));
    const line = [head, ...said].join("; ");
    const { group } = entry;
    return group === undefined || entries[i - 1]?.group === group ? [line] : [`-- ${group} --`, line];
  });
}
