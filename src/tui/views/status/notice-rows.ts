/** Notices at the top right, newest last (R-NOTE-1, -2): at most five, each on one line, words before colours. */
import type { Notice } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { blockedWhy, words } from "../../../text/words.ts";
import { showChord } from "../../input/chord.ts";
import { chordsFor } from "../../keys/lookup.ts";
import type { KeyTable } from "../../keys/lookup.ts";
import { dueIn } from "../lists/reminding.ts";
import type { Rect } from "../../screen/layout.ts";
import type { Theme } from "../../render/theme.ts";

const SIGNS = { info: "·", success: "✓", warning: "!", error: "✗" } as const;
const MOST = 5;

/** Those that fit. */
export const shownNotices = (notices: readonly Notice[], rows: number): readonly Notice[] =>
  notices.slice(-Math.min(MOST, Math.max(1, rows - 6)));

/** The key that goes to what is due. */
function wayOf(notice: Notice, table: KeyTable): string {
  const chord = dueIn(notice) === undefined ? undefined : chordsFor(table, "openDue")[0];
  return chord === undefined ? "" : ` · ${words.later.opens(showChord(chord))}`;
}

export function drawNotices(
  notices: readonly Notice[],
  props: { theme: Theme; columns: number; rows: number; table: KeyTable },
): { rect: Rect; rows: string[] } | undefined {
  const shown = shownNotices(notices, props.rows);
  if (!shown.length) return undefined;
  const most = Math.max(10, Math.min(72, props.columns - 4));
  const texts = shown.map((n) => {
    const way = wayOf(n, props.table);
    const said = ` ${SIGNS[n.level]} ${cleanLine(n.reason ? `${n.text}: ${blockedWhy(n.reason)}` : n.text)}`;
    return truncate(said, most - 1 - cellWidth(way)) + way;
  });
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
