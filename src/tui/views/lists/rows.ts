/** Draws the rows of a list: group headings, and for each entry its title, counts, time and lines of text. */
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
  /** The cursor is shown only while the list has the focus. */
  focused: boolean;
}

/** A row, and the index of its entry; a heading belongs to the entry below it. */
interface Line {
  text: string;
  index: number;
}

/** `2 new · @1`, or the entry's note. */
function countsText({ newCount, mentions, note }: ListEntry): string {
  if (note !== undefined) return note;
  const parts = [newCount > 0 && words.lists.fresh(newCount), mentions && `@${mentions}`];
  return parts.filter(Boolean).join(" · ");
}

/** The title at the left, counts and time at the right, in `width` cells. */
function entryHeader(entry: ListEntry, look: ListLook, width: number): string {
  const { theme } = look;
  const counts = countsText(entry);
  const when = entry.at === undefined ? "" : shortWhen(entry.at, look.now, look);
  const right = [counts, when].filter(Boolean).join(" · ");
  const room = Math.max(1, width - (right ? cellWidth(right) + 1 : 0));
  const title = padEnd(truncate(fitTerminal(entry.title, look.glyphs), room), room);
  const styledTitle = entry.newCount > 0 ? theme.bold(title) : title;
  if (!right) return styledTitle;
  const styledRight = counts
    ? theme.unread(counts) + theme.dim(right.slice(counts.length))
    : theme.dim(right);
  return `${styledTitle} ${entry.newCount > 0 ? styledRight : theme.dim(right)}`;
}

/** The rows of one entry, without the cursor mark. */
function rowsOf(entry: ListEntry, look: ListLook): string[] {
  const width = Math.max(4, look.width - 2);
  const details = entry.lines.map(({ author, text }, i) => {
    const sign = i === 0 ? "" : "↳ ";
    const line = `${sign}${author === undefined ? "" : `${author}: `}${text || words.message.empty}`;
    return look.theme.dim(truncate(fitTerminal(line, look.glyphs), width));
  });
  return [entryHeader(entry, look, width), ...details];
}

function linesOf(entries: readonly ListEntry[], look: ListLook): Line[] {
  const { theme, cursor, focused } = look;
  const byGroup = Map.groupBy(entries, ({ group }) => group);
  return entries.flatMap((entry, index) => {
    const mark = focused && index === cursor ? theme.accent("▌") : " ";
    const rows = rowsOf(entry, look).map((row): Line => ({ text: mark + row, index }));
    const { group } = entry;
    if (group === undefined || entries[index - 1]?.group === group) return rows;
    const head = truncate(`── ${group} · ${byGroup.get(group)!.length} `, look.width);
    const rule = "─".repeat(Math.max(0, look.width - 1 - cellWidth(head)));
    return [{ text: theme.dim(head + rule), index }, ...rows];
  });
}

/** The visible lines, scrolled to the entry under the cursor. */
export function visibleLines(entries: readonly ListEntry[], look: ListLook): Line[] {
  const lines = linesOf(entries, look);
  const at = lines.findIndex(({ index }) => index === look.cursor);
  const top = windowTop(Math.max(0, at), lines.length, look.height);
  return lines.slice(top, top + look.height);
}

/** The explanation shown in an empty list. */
export const emptyRows = (
  sentence: string,
  { theme, width }: Pick<ListLook, "theme" | "width">,
): string[] => ["", ...wrapText(sentence, Math.max(8, width - 2)).map((row) => ` ${theme.dim(row)}`)];

/** One line for each entry, for screen readers: title, counts, time, texts; groups have their own line. */
export function spokenEntries(entries: readonly ListEntry[], look: Pick<ListLook, "now" | "utc">): string[] {
  return entries.flatMap((entry, i) => {
    const when = entry.at === undefined ? "" : shortWhen(entry.at, look.now, look);
    const head = [entry.title, countsText(entry), when].filter(Boolean).join(", ");
    const texts = entry.lines.map(({ author, text }) => (author === undefined ? text : `${author}: ${text}`));
    const line = [head, ...texts].join("; ");
    const { group } = entry;
    return group === undefined || entries[i - 1]?.group === group ? [line] : [`-- ${group} --`, line];
  });
}
