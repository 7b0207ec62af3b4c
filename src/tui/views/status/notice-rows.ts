/** Rows of notices: the newest whole, below a line with the number of the others (R-NOTE-1, -2). */
import type { Notice } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { wrapText } from "../../../text/wrap.ts";
import { blockedWhy, words } from "../../../text/words.ts";
import { showChord } from "../../input/chord.ts";
import { chordsFor, type KeyTable } from "../../keys/lookup.ts";
import { dueMessageId } from "../lists/reminders.ts";
import type { Rect } from "../../screen/layout.ts";
import type { Theme } from "../../render/theme.ts";

export const NOTICE_SIGNS = { info: "·", success: "✓", warning: "!", error: "✗" } as const;
/** From the least to the most urgent. */
const LEVELS = ["info", "success", "warning", "error"] as const;

/** The hint with the key that opens a due reminder. */
function openHint(notice: Notice, table: KeyTable): string {
  const chord = dueMessageId(notice) === undefined ? undefined : chordsFor(table, "openDue")[0];
  return chord === undefined ? "" : ` · ${words.later.opens(showChord(chord))}`;
}

/** Maximum rows per notice. */
const MAX_ROWS = 4;

export interface DrawnNotices {
  rect: Rect;
  rows: string[];
  /** The notice of each row; undefined for the number of the others. */
  owners: (Notice | undefined)[];
}

/** Draws the newest notice at the top of the pane, and how many others are shown in the colour of the most urgent one. */
export function drawNotices(
  notices: readonly Notice[],
  { theme, pane, table }: { theme: Theme; pane: Rect; table: KeyTable },
): DrawnNotices | undefined {
  const newest = notices.at(-1);
  if (!newest) return undefined;
  const maxWidth = Math.max(10, pane.width - 2);
  const others = notices.slice(0, -1);
  const room = Math.max(1, Math.min(MAX_ROWS, Math.floor(pane.height / 2) - (others.length > 0 ? 1 : 0)));
  const texts = textsOf(newest, openHint(newest, table), maxWidth).slice(0, room);
  const more = others.length > 0 ? [` ${NOTICE_SIGNS.info} ${words.notices.more(others.length)}`] : [];
  const width = Math.min(maxWidth, Math.max(...[...more, ...texts].map(cellWidth)) + 1);
  const style = { info: theme.accent, success: theme.accent, warning: theme.warn, error: theme.bad };
  const worst = LEVELS.findLast((level) => others.some((one) => one.level === level)) ?? "info";
  const row = (text: string, level: Notice["level"]): string =>
    theme.notice(style[level]("▌") + padEnd(truncate(text.slice(1), width - 1), width - 1));
  return {
    rect: { x: pane.x + pane.width - width, y: pane.y, width, height: more.length + texts.length },
    rows: [...more.map((text) => row(text, worst)), ...texts.map((text) => row(text, newest.level))],
    owners: [...more.map(() => undefined), ...texts.map(() => newest)],
  };
}

export const noticeText = ({ reason, text }: Pick<Notice, "reason" | "text">): string =>
  cleanLine(reason ? `${text}: ${blockedWhy(reason)}` : text);

/** The wrapped text of a notice, indented after its symbol. */
function textsOf(notice: Notice, hint: string, width: number): string[] {
  const { level } = notice;
  const sentence = noticeText(notice) + hint;
  return wrapText(sentence, Math.max(4, width - 4)).map(
    (row, at) => ` ${at === 0 ? NOTICE_SIGNS[level] : " "} ${row}`,
  );
}
