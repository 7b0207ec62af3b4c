/** The list of completions over the box as rows. */
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import type { Rect } from "../../screen/layout.ts";
import type { Completion } from "../../screen/screen.ts";
import type { Theme } from "../../render/theme.ts";
import { windowTop } from "../../screen/layout.ts";

/** The list over the composer: at most eight choices, and the help of a command's arguments. */
export function drawCompletion(
  completion: Completion,
  props: { theme: Theme; columns: number; bottom: number; left: number },
): { rect: Rect; rows: string[] } {
  const { theme } = props;
  const most = Math.max(1, Math.min(8, props.bottom - 2));
  const top = windowTop(completion.selected, completion.items.length, most);
  const items = completion.items.slice(top, top + most);
  const width = Math.min(
    props.columns - 2,
    Math.max(
      ...items.map((i) => cellWidth(i.label) + (i.detail ? cellWidth(i.detail) + 2 : 0)),
      cellWidth(completion.help ?? ""),
    ) + 2,
  );
  const rows = items.map((item, i) => {
    const label = truncate(item.label, width - 2);
    const detail = item.detail ? truncate(`  ${item.detail}`, Math.max(0, width - 2 - cellWidth(label))) : "";
    const text = padEnd(` ${label}${detail}`, width);
    return top + i === completion.selected
      ? theme.inverse(text)
      : ` ${label}${theme.dim(padEnd(detail, width - 1 - cellWidth(label)))}`;
  });
  if (completion.help) rows.push(theme.dim(padEnd(` ${truncate(completion.help, width - 2)}`, width)));
  const x = Math.max(0, Math.min(props.left, props.columns - width));
  return { rect: { x, y: Math.max(0, props.bottom - rows.length), width, height: rows.length }, rows };
}
