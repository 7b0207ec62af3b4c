/** Rows of the list of completions. */
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { wrapText } from "../../../text/wrap.ts";
import type { CompletionState } from "../../screen/screen.ts";
import type { Theme } from "../../render/theme.ts";
import { windowTop, type Rect } from "../../screen/layout.ts";

/** Help never takes more of the screen, rows. */
const MOST_HELP = 4;

/** Help for the words that are written, and of the choice under the cursor what its own row has no room for. */
function helpRows({ items, selected, help }: CompletionState, widest: number): string[] {
  const chosen = items[selected];
  const cut = chosen?.detail && cellWidth(chosen.label) + cellWidth(chosen.detail) + 4 > widest;
  const said = help ?? (cut ? chosen.detail : undefined);
  return said ? wrapText(said, widest - 2).slice(0, MOST_HELP) : [];
}

/** A frame around rows of `width` cells: without colours nothing else tells the list from the messages behind it. */
function framed(theme: Theme, rows: readonly string[], width: number): string[] {
  const edge = "─".repeat(width);
  const side = theme.dim("│");
  return [theme.dim(`┌${edge}┐`), ...rows.map((row) => side + row + side), theme.dim(`└${edge}┘`)];
}

/** The list over the composer: at most eight choices, and the help of a command's arguments. */
export function drawCompletion(
  completion: CompletionState,
  props: { theme: Theme; columns: number; bottom: number; left: number },
): { rect: Rect; rows: string[] } {
  const { theme } = props;
  const widest = props.columns - 4;
  const said = helpRows(completion, widest);
  const most = Math.max(1, Math.min(8, props.bottom - 3 - said.length));
  const top = windowTop(completion.selected, completion.items.length, most);
  const items = completion.items.slice(top, top + most);
  const width = Math.min(
    widest,
    Math.max(
      ...items.map((i) => cellWidth(i.label) + (i.detail ? cellWidth(i.detail) + 2 : 0)),
      ...said.map(cellWidth),
    ) + 2,
  );
  // A single choice whose words follow in full does not have them cut beside it, too.
  const told = completion.items.length === 1 && completion.help === undefined && said.length > 0;
  const rows = items.map((item, i) => {
    const label = truncate(item.label, width - 2);
    const detail =
      item.detail && !told ? truncate(`  ${item.detail}`, Math.max(0, width - 2 - cellWidth(label))) : "";
    return top + i === completion.selected
      ? theme.inverse(padEnd(`›${label}${detail}`, width))
      : ` ${label}${theme.dim(padEnd(detail, width - 1 - cellWidth(label)))}`;
  });
  for (const row of said) rows.push(theme.dim(padEnd(` ${row}`, width)));
  const box = framed(theme, rows, width);
  // The words stand over the word that is completed, and the frame of the screen stays whole.
  const x = Math.max(1, Math.min(props.left - 1, props.columns - width - 3));
  return {
    rect: { x, y: Math.max(0, props.bottom - box.length), width: width + 2, height: box.length },
    rows: box,
  };
}
