/** Notices at the top right, newest last (R-NOTE-1, -2): at most five, each on one line, words before colours. */
import type { Notice } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import type { Rect } from "../../screen/layout.ts";
import type { Theme } from "../../render/theme.ts";

const SIGNS = { info: "·", success: "✓", warning: "!", error: "✗" } as const;
const MOST = 5;

export function drawNotices(
  notices: readonly Notice[],
  props: { theme: Theme; columns: number; rows: number },
): { rect: Rect; rows: string[] } | undefined {
  const shown = notices.slice(-Math.min(MOST, Math.max(1, props.rows - 6)));
  if (!shown.length) return undefined;
  const most = Math.max(10, Math.min(72, props.columns - 4));
  const texts = shown.map((n) =>
    truncate(` ${SIGNS[n.level]} ${cleanLine(n.reason ? `${n.text}: ${n.reason}` : n.text)}`, most - 1),
  );
  const width = Math.min(most, Math.max(...texts.map(cellWidth)) + 1);
  const style = {
    info: props.theme.inverse,
    success: props.theme.inverse,
    warning: props.theme.warn,
    error: props.theme.bad,
  };
  const rows = texts.map((text, i) => props.theme.inverse(style[shown[i]!.level](padEnd(text, width))));
  return { rect: { x: props.columns - width - 1, y: 1, width, height: rows.length }, rows };
}
