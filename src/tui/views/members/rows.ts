/** Draws the members of a channel, and how many are not loaded yet. */
import type { ChannelEntry } from "../../../model/state.ts";
import { cellWidth, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import type { Theme } from "../../render/theme.ts";
import { windowTop } from "../../screen/layout.ts";
import type { MembersPanel } from "../../screen/screen.ts";
import type { ListLook } from "../lists/rows.ts";
import { memberCursor, type MemberLine } from "./lines.ts";

type RowsProps = Pick<ListLook, "theme" | "width" | "height" | "focused">;

type MemberCount = Pick<ChannelEntry, "memberCount">;

/** Rows for members; the last row tells how many are not loaded, if any. */
const lineRows = (height: number, allLoaded: boolean): number => Math.max(1, allLoaded ? height : height - 1);

const areAllLoaded = (lines: readonly MemberLine[], { memberCount }: MemberCount): boolean =>
  lines.length >= memberCount;

/** The first visible line. */
const firstLine = (
  panel: MembersPanel,
  lines: readonly MemberLine[],
  entry: MemberCount,
  height: number,
): number =>
  windowTop(memberCursor(panel, lines), lines.length, lineRows(height, areAllLoaded(lines, entry)));

export const memberLineAt = (
  panel: MembersPanel,
  lines: readonly MemberLine[],
  entry: MemberCount,
  { height, y }: { height: number; y: number },
): MemberLine | undefined =>
  y < lineRows(height, areAllLoaded(lines, entry))
    ? lines[firstLine(panel, lines, entry, height) + y]
    : undefined;

function memberRow({ name, online, role }: MemberLine, width: number, theme: Theme): string {
  const shown = truncate(name, Math.max(1, width - 4));
  const suffix = role === undefined ? "" : truncate(`  ${role}`, Math.max(0, width - 4 - cellWidth(shown)));
  return `${online ? theme.good("●") : theme.dim("○")} ${shown}${theme.dim(suffix)}`;
}

export function memberListRows(
  panel: MembersPanel,
  lines: readonly MemberLine[],
  entry: MemberCount,
  { theme, width, height, focused }: RowsProps,
): string[] {
  const allLoaded = areAllLoaded(lines, entry);
  const top = firstLine(panel, lines, entry, height);
  const at = memberCursor(panel, lines);
  const rows = lines.slice(top, top + lineRows(height, allLoaded)).map((line, i) => {
    const mark = top + i === at && focused ? theme.accent("▌") : " ";
    return `${mark}${memberRow(line, width, theme)}`;
  });
  if (!allLoaded) {
    const more = words.panels.more(entry.memberCount - lines.length);
    rows.push(theme.dim(` … ${panel.loading ? `${more} · ${words.message.loading}` : more}`));
  }
  return rows.slice(0, height);
}
