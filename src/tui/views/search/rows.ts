/** Rows of the search: the input line, the state, and results with matches highlighted. */
import { plainTextOf } from "../../../model/message-words.ts";
import { channelTitle, userName } from "../../../model/channels.ts";
import type { State } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { wordsOf } from "../../../text/searched-words.ts";
import { shortWhen } from "../../../text/times.ts";
import { besideThumb, thumbOf } from "../../components/thumb.ts";
import { cursorRow } from "../../components/selected-row.ts";
import { cellWidth, fitTerminal, padEnd, truncate } from "../../../text/width.ts";
import { wrapText } from "../../../text/wrap.ts";
import { words } from "../../../text/words.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { timeToMs } from "../../../wire/time.ts";
import { typedLine } from "../../components/typed-line.ts";
import { windowTop } from "../../screen/layout.ts";
import type { SearchState } from "../../screen/search.ts";
import { selectionOf } from "../../editor/state.ts";
import {
  isSelectableLine,
  selectedResult,
  foundLines,
  searchStatus,
  type SelectableLine,
  type FoundLine,
} from "./lines.ts";
import { matchExcerpt, type SearchLook } from "./excerpts.ts";
import { surroundingsHeight, surroundingsRows } from "./surroundings.ts";

/** A row and the line a click on it opens. */
interface FoundRow {
  text: string;
  line?: SelectableLine;
}

/** Rows above the results: input and state. */
const HEAD_ROWS = 2;
const PROMPT = " › ";

/** The visible part of the input, and the cells before the cursor. */
function inputPart({ editor }: SearchState, width: number): { text: string; before: number } {
  return typedLine(editor.text, editor.cursor, Math.max(1, width - cellWidth(PROMPT) - 1));
}

/** The position of the text cursor, relative to the area below the title. */
export function searchCursor(search: SearchState, width: number): { x: number; y: number } {
  return { x: cellWidth(PROMPT) + inputPart(search, width).before, y: 0 };
}

function inputRow({ theme, width }: SearchLook, search: SearchState): string {
  const { text } = inputPart(search, width);
  if (search.editor.text === "")
    return theme.accent(PROMPT) + theme.dim(truncate(words.search.placeholder, width - 4));
  // While the text is selected it is shown inverted.
  return theme.accent(PROMPT) + (selectionOf(search.editor) ? theme.marked(text) : text);
}

function messageRows(
  look: SearchLook,
  message: Message,
  place: string,
  queryWords: readonly string[],
): string[] {
  const { theme, width, now, utc, glyphs } = look;
  const when = shortWhen(timeToMs(message.created_at), now, utc === undefined ? {} : { utc });
  const reply = message.parent_id === undefined ? "" : ` · ${words.search.reply}`;
  const author = userName(message.user);
  const who = truncate(
    fitTerminal(`${author === place ? place : `${place} · ${author}`}${reply}`, glyphs),
    Math.max(1, width - cellWidth(when) - 4),
  );
  return [
    theme.dim(`${padEnd(who, width - cellWidth(when) - 3)} ${when}`),
    `  ${matchExcerpt(theme, fitTerminal(plainTextOf(message), glyphs), queryWords, Math.max(1, width - 4))}`,
  ];
}

function rowsOf(look: SearchLook, state: State, search: SearchState, line: FoundLine): string[] {
  const { theme, width } = look;
  switch (line.kind) {
    case "heading":
      return [theme.bold(line.text)];
    case "note":
      return wrapText(line.text, Math.max(8, width - 3)).map((row) => theme.dim(row));
    case "recent":
      return [truncate(cleanLine(line.text), width - 2)];
    case "channel":
      return [truncate(line.title, width - 2)];
    case "person":
      return [truncate(`@${line.name}`, width - 2)];
    case "message": {
      const entry = state.channels.get(line.message.cid);
      const place = entry ? channelTitle(entry, state.me?.id) : cleanLine(line.message.cid);
      return messageRows(look, line.message, place, wordsOf(search.query.words));
    }
  }
}

/** All rows of the results, and the first one of the selected line. */
function resultRows(look: SearchLook, state: State, search: SearchState): { rows: FoundRow[]; at: number } {
  const lines = foundLines(state, search);
  const selected = selectedResult(lines, search.selected);
  const rows: FoundRow[] = [];
  let at = 0;
  for (const line of lines) {
    const isSelected = line === selected;
    if (isSelected) at = rows.length;
    for (const row of rowsOf(look, state, search, line)) {
      const text = isSelected ? cursorRow(look.theme, row, look.width) : ` ${row}`;
      rows.push({ text, ...(isSelectableLine(line) && { line }) });
    }
  }
  return { rows, at };
}

/** The visible rows of the results, scrolled to the selected line, beside a thumb if there are more. */
function windowRows(look: SearchLook, state: State, search: SearchState): FoundRow[] {
  const height = Math.max(1, look.height - HEAD_ROWS - surroundingsHeight(look, search));
  const whole = resultRows(look, state, search);
  if (whole.rows.length <= height) return whole.rows;
  const { rows, at } = resultRows({ ...look, width: look.width - 1 }, state, search);
  const top = windowTop(at, rows.length, height);
  const shown = rows.slice(top, top + height);
  const thumb = thumbOf(top, height, rows.length);
  if (!thumb) return shown;
  const texts = besideThumb(
    shown.map(({ text }) => text),
    thumb,
    look,
  );
  return shown.map((row, y) => ({ ...row, text: texts[y]! }));
}

/** All rows below the title: below the results what is around the selected one. */
export function searchRows(look: SearchLook, state: State, search: SearchState): string[] {
  const status = ` ${truncate(searchStatus(search), Math.max(1, look.width - 2))}`;
  return [
    inputRow(look, search),
    look.theme.dim(status),
    ...windowRows(look, state, search).map(({ text }) => text),
    ...(surroundingsHeight(look, search) > 0 ? [""] : []),
    ...surroundingsRows(look, state, search),
  ];
}

/** The line at a row below the title. */
export const resultLineAt = (
  look: SearchLook,
  state: State,
  search: SearchState,
  y: number,
): SelectableLine | undefined =>
  y < HEAD_ROWS ? undefined : windowRows(look, state, search)[y - HEAD_ROWS]?.line;
