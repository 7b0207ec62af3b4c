/** Draws a channel's files, two rows for each. */
import { wholeDate } from "../../../text/times.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { windowTop } from "../../screen/layout.ts";
import type { Theme } from "../../render/theme.ts";
import type { FilesPanel } from "../../screen/screen.ts";
import type { FileLine } from "./lines.ts";
import type { ListLook } from "../lists/rows.ts";

const ROWS_PER_LINE = 2;

type RowsProps = Pick<ListLook, "theme" | "width" | "height" | "utc" | "focused">;

/** The first visible line. */
const firstLine = (panel: FilesPanel, length: number, height: number): number =>
  windowTop(Math.min(panel.selected, length - 1), length, Math.max(1, Math.floor(height / ROWS_PER_LINE)));

/** Index of the line at row `y`. */
export const fileLineAt = (panel: FilesPanel, length: number, height: number, y: number): number =>
  firstLine(panel, length, height) + Math.floor(y / ROWS_PER_LINE);

/** Name and facts in exactly `width` cells; the name is truncated first. */
function nameRow(line: FileLine, width: number, theme: Theme): string {
  const facts = truncate(line.facts, Math.floor(width / 2));
  const room = width - cellWidth(facts) - 2;
  const name = truncate(line.name, Math.max(1, room));
  return `${theme.link(name)}${" ".repeat(Math.max(0, room - cellWidth(name)))}  ${theme.dim(facts)}`;
}

export function fileRows(panel: FilesPanel, lines: readonly FileLine[], look: RowsProps): string[] {
  const { theme, width, height, utc } = look;
  const inner = width - 3;
  const selected = Math.min(panel.selected, lines.length - 1);
  const top = firstLine(panel, lines.length, height);
  const rows = lines.slice(top, top + Math.ceil(height / ROWS_PER_LINE)).flatMap((line, i) => {
    const mark = top + i === selected && look.focused ? theme.accent("▌") : " ";
    const about = truncate(`  ${line.from} · ${wholeDate(line.at, { utc })}`, inner);
    return [`${mark} ${nameRow(line, inner, theme)} `, `${mark} ${theme.dim(padEnd(about, inner))} `];
  });
  if (panel.loading) rows.push(theme.dim(` ${words.message.loading}`));
  else if (lines.length === 0) rows.push(theme.dim(truncate(` ${words.files.noneHere}`, width)));
  return rows.slice(0, height);
}
