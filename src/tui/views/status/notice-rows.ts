/** Rows of notices, newest last, at most five (R-NOTE-1, -2). */
import type { Notice } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, padEnd } from "../../../text/width.ts";
import { wrapText } from "../../../text/wrap.ts";
import { blockedWhy, words } from "../../../text/words.ts";
import { showChord } from "../../input/chord.ts";
import { chordsFor, type KeyTable } from "../../keys/lookup.ts";
import { dueMessageId } from "../lists/reminders.ts";
import type { Rect } from "../../screen/layout.ts";
import type { Theme } from "../../render/theme.ts";

const SIGNS = { info: "·", success: "✓", warning: "!", error: "✗" } as const;
const MAX_NOTICES = 5;

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
  /** The notice of each row. */
  owners: Notice[];
}

/** Draws the newest notices that fit completely, from the top of the pane. */
export function drawNotices(
  notices: readonly Notice[],
  { theme, pane, table }: { theme: Theme; pane: Rect; table: KeyTable },
): DrawnNotices | undefined {
  const maxWidth = Math.max(10, pane.width - 2);
  const room = Math.max(1, Math.floor(pane.height / 2));
  const shown: { notice: Notice; texts: string[] }[] = [];
  let used = 0;
  for (const notice of notices.slice(-MAX_NOTICES).toReversed()) {
    const texts = textsOf(notice, openHint(notice, table), maxWidth).slice(0, Math.min(MAX_ROWS, room));
    if (shown.length > 0 && used + texts.length > room) break;
    used += texts.length;
    shown.unshift({ notice, texts });
  }
  if (shown.length === 0) return undefined;
  const width = Math.min(maxWidth, Math.max(...shown.flatMap(({ texts }) => texts.map(cellWidth))) + 1);
  const style = { info: theme.accent, success: theme.accent, warning: theme.warn, error: theme.bad };
  const rows = shown.flatMap(({ notice, texts }) =>
    texts.map((text) => theme.notice(style[notice.level]("▌") + padEnd(text.slice(1), width - 1))),
  );
  const owners = shown.flatMap(({ notice, texts }) => texts.map(() => notice));
  return { rect: { x: pane.x + pane.width - width, y: pane.y, width, height: rows.length }, rows, owners };
}

/** The wrapped text of a notice, indented after its symbol. */
function textsOf({ level, reason, text }: Notice, hint: string, width: number): string[] {
  const sentence = cleanLine(reason ? `${text}: ${blockedWhy(reason)}` : text) + hint;
  return wrapText(sentence, Math.max(4, width - 4)).map(
    (row, at) => ` ${at === 0 ? SIGNS[level] : " "} ${row}`,
  );
}
