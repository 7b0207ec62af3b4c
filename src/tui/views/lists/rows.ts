/** Draws the rows of a list: group headings, and for each entry its title, counts, time and lines of text. */
import { cellWidth, fitTerminal, padEnd, truncate } from "../../../text/width.ts";
import { shortWhen } from "../../../text/times.ts";
import { saidIn } from "../../../model/message-words.ts";
import { words } from "../../../text/words.ts";
import type { RowLook } from "../../components/list-pane.tsx";
import type { ListEntry } from "./entry.ts";

/** `2 new · @1`, or the entry's note. */
function countsText({ newCount, mentions, note }: ListEntry): string {
  if (note !== undefined) return note;
  const parts = [newCount > 0 && words.lists.fresh(newCount), mentions && `@${mentions}`];
  return parts.filter(Boolean).join(" · ");
}

/** The title at the left, counts and time at the right, in `width` cells. */
function entryHeader(entry: ListEntry, look: RowLook, width: number): string {
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

/** The title, and a row for each line. */
export function entryRows(entry: ListEntry, look: RowLook): string[] {
  const width = Math.max(4, look.width - 1);
  const details = entry.lines.map(({ author, text }, i) => {
    const sign = i === 0 ? "" : "↳ ";
    const line = `${sign}${saidIn(entry.title, author, text || words.message.empty)}`;
    return look.theme.dim(truncate(fitTerminal(line, look.glyphs), width));
  });
  return [entryHeader(entry, look, width), ...details];
}

/** Above the first entry of a group. */
export function groupHeading(
  entries: readonly ListEntry[],
  at: number,
  { theme, width }: RowLook,
): string | undefined {
  const { group } = entries[at]!;
  if (group === undefined || entries[at - 1]?.group === group) return undefined;
  const size = entries.filter((entry) => entry.group === group).length;
  return theme.dim(truncate(` ${group}  ${size}`, width));
}

/** One line for each entry, for screen readers: title, counts, time, texts; groups have their own line. */
export function spokenEntries(entries: readonly ListEntry[], look: Pick<RowLook, "now" | "utc">): string[] {
  return entries.flatMap((entry, i) => {
    const when = entry.at === undefined ? "" : shortWhen(entry.at, look.now, look);
    const head = [entry.title, countsText(entry), when].filter(Boolean).join(", ");
    const texts = entry.lines.map(({ author, text }) => saidIn(entry.title, author, text));
    const line = [head, ...texts].join("; ");
    const { group } = entry;
    return group === undefined || entries[i - 1]?.group === group ? [line] : [`-- ${group} --`, line];
  });
}
