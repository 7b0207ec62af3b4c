/** Draws the rows of the completion list. */
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { wrapText } from "../../../text/wrap.ts";
import type { CompletionState } from "../../screen/screen.ts";
import type { Theme } from "../../render/theme.ts";
import { placeInList, ringed } from "../../components/box.ts";
import { thumbOf, type Thumb } from "../../components/thumb.ts";
import { selectedRow } from "../../components/selected-row.ts";
import { windowTop, type Rect } from "../../screen/layout.ts";

const MAX_HELP_ROWS = 4;

/** The help of the command being written, else the detail of the selected item if its row truncates it. */
function helpRows({ items, selected, help }: CompletionState, maxWidth: number): string[] {
  const item = items[selected];
  const isCut = item?.detail && cellWidth(item.label) + cellWidth(item.detail) + 4 > maxWidth;
  const text = help ?? (isCut ? item.detail : undefined);
  return text ? wrapText(text, maxWidth - 2).slice(0, MAX_HELP_ROWS) : [];
}

/** A frame around rows of `width` cells: without colours, only that separates the list from the messages behind it. */
function framed(
  theme: Theme,
  rows: readonly string[],
  width: number,
  { thumb, place }: { thumb: Thumb | undefined; place: string },
): string[] {
  const label = thumb && cellWidth(place) + 4 <= width ? ` ${place} ` : "";
  const edge = "─".repeat(width);
  const upper = `╭${"─".repeat(Math.max(0, width - cellWidth(label) - 1))}`;
  const side = theme.line("│");
  return [
    label === "" ? theme.line(`╭${edge}╮`) : theme.line(upper) + theme.dim(label) + theme.line("─╮"),
    ...rows.map((row, y) => side + row + (thumb && y >= thumb.from && y < thumb.to ? theme.line("▐") : side)),
    theme.line(`╰${edge}╯`),
  ];
}

/** The list above the composer: at most eight items, and the help of a command's arguments. */
export function drawCompletion(
  completion: CompletionState,
  props: { theme: Theme; columns: number; bottom: number; left: number },
): { rect: Rect; rows: string[] } {
  const { theme } = props;
  const maxWidth = Math.min(100, props.columns - 4);
  // On a low screen the items come first.
  const helpLines = helpRows(completion, maxWidth).slice(0, Math.max(0, props.bottom - 5));
  const maxItems = Math.max(1, Math.min(8, props.bottom - 5 - helpLines.length));
  const top = windowTop(completion.selected, completion.items.length, maxItems);
  const items = completion.items.slice(top, top + maxItems);
  const width = Math.min(
    maxWidth,
    Math.max(
      ...items.map((i) => cellWidth(i.label) + (i.detail ? cellWidth(i.detail) + 2 : 0)),
      ...helpLines.map(cellWidth),
    ) + 2,
  );
  // The detail of a single item is not repeated when the help below shows it in full.
  const isDetailInHelp =
    completion.items.length === 1 && completion.help === undefined && helpLines.length > 0;
  const rows = items.map((item, i) => {
    const label = truncate(item.label, width - 2);
    const room = Math.max(0, width - 2 - cellWidth(label));
    const detail = item.detail && !isDetailInHelp ? truncate(`  ${item.detail}`, room) : "";
    return top + i === completion.selected
      ? selectedRow(theme, `${label}${detail}`, width)
      : ` ${label}${theme.dim(padEnd(detail, width - 1 - cellWidth(label)))}`;
  });
  for (const row of helpLines) rows.push(theme.dim(padEnd(` ${row}`, width)));
  const box = framed(theme, rows, width, {
    thumb: thumbOf(top, items.length, completion.items.length),
    place: placeInList(completion.selected, completion.items.length),
  });
  // Align the labels with the word being completed, but keep off the border of the screen.
  const x = Math.max(1, Math.min(props.left - 1, props.columns - width - 3));
  const y = Math.max(0, props.bottom - 1 - box.length);
  return ringed({ x, y, width: width + 2, height: box.length }, box);
}
