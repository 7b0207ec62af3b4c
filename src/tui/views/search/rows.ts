/** Rows of the search: the input line, the state, and results with matches highlighted. */
import { channelTitle, userName } from "../../../model/channels.ts";
import { excerpt } from "../../../model/message-words.ts";
import type { State } from "../../../model/state.ts";
import { findWords, wordsOf } from "../../../text/searched-words.ts";
import { segments } from "../../../text/graphemes.ts";
import { flatText } from "../../../text/markup.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { shortWhen } from "../../../text/times.ts";
import type { Zone } from "../../../text/zones.ts";
import { besideThumb, thumbOf } from "../../components/thumb.ts";
import { cursorRow } from "../../components/selected-row.ts";
import { cellWidth, fitTerminal, padEnd, truncate } from "../../../text/width.ts";
import { wrapText } from "../../../text/wrap.ts";
import { words } from "../../../text/words.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { timeToMs } from "../../../wire/time.ts";
import { typedLine } from "../../components/typed-line.ts";
import type { Theme } from "../../render/theme.ts";
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
import type { RowLook } from "../../components/list-pane.tsx";

interface SearchLook extends Zone, Pick<RowLook, "theme" | "width" | "glyphs" | "now"> {
  height: number;
}

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

/** Where an excerpt begins that shows the match ending at `end`: at a word some way before it, else, without blanks near, at a letter. */
function excerptStart(text: string, { start, end }: { start: number; end: number }, width: number): number {
  const fits = (from: number): boolean => cellWidth(text.slice(from, end)) < width;
  if (fits(0)) return 0;
  const word = text.lastIndexOf(" ", Math.max(0, start - Math.floor(width / 3))) + 1;
  if (fits(word)) return word;
  return segments(text).containing(Math.max(0, start - Math.floor(width / 6)))!.index;
}

/** The text around the first match, with all matches highlighted. */
function matchExcerpt(theme: Theme, text: string, queryWords: readonly string[], width: number): string {
  const [first] = findWords(text, queryWords);
  const from = first ? excerptStart(text, first, width) : 0;
  const shown = truncate(`${from > 0 ? "…" : ""}${text.slice(from)}`, width);
  let marked = "";
  let at = 0;
  for (const { start, end } of findWords(shown, queryWords)) {
    marked += shown.slice(at, start) + theme.bold(theme.accent(shown.slice(start, end)));
    at = end;
  }
  return marked + shown.slice(at);
}

/** The plain text of a message, or a description of a message without text; cached. */
function plainTextOf(message: Message): string {
  const cached = plainTexts.get(message);
  if (cached !== undefined) return cached;
  const text = cleanLine(flatText(message.text)) || excerpt(message);
  plainTexts.set(message, text);
  return text;
}
const plainTexts = new WeakMap<Message, string>();

function messageRows(
  look: SearchLook,
  message: Message,
  place: string,
  queryWords: readonly string[],
): string[] {
  const { theme, width, now, utc, glyphs } = look;
  const when = shortWhen(timeToMs(message.created_at), now, utc === undefined ? {} : { utc });
  const reply = message.parent_id === undefined ? "" : ` · ${words.search.reply}`;
  const who = truncate(
    fitTerminal(`${place} · ${userName(message.user)}${reply}`, glyphs),
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
  const height = Math.max(1, look.height - HEAD_ROWS);
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

/** All rows below the title. */
export function searchRows(look: SearchLook, state: State, search: SearchState): string[] {
  const status = ` ${truncate(searchStatus(search), Math.max(1, look.width - 2))}`;
  return [
    inputRow(look, search),
    look.theme.dim(status),
    ...windowRows(look, state, search).map(({ text }) => text),
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
