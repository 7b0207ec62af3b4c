/** Rows of the search: the input line, the state, and results with matches highlighted. */
import { channelTitle, userName } from "../../../model/channels.ts";
import { excerpt as instead } from "../../../model/message-words.ts";
import type { State } from "../../../model/state.ts";
import { foldedWords, findWords } from "../../../text/folded.ts";
import { flatText } from "../../../text/markup.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { shortWhen, type Zone } from "../../../text/times.ts";
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
import { canChoose, chosenLine, foundLines, searchStatus, type Chosen, type FoundLine } from "./lines.ts";
import type { ListLook } from "../lists/rows.ts";

interface SearchLook extends Zone, Pick<ListLook, "theme" | "width" | "height" | "glyphs"> {
  /** Wall clock, ms. */
  now: number;
}

/** A row and the line a click on it opens. */
interface FoundRow {
  text: string;
  line?: Chosen;
}

/** Rows above the results: input and state. */
const HEAD = 2;
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
  return theme.accent(PROMPT) + (selectionOf(search.editor) ? theme.inverse(text) : text);
}

/** The text around the first match, with all matches highlighted. */
function excerpt(theme: Theme, text: string, wanted: readonly string[], width: number): string {
  const [first] = findWords(text, wanted);
  const far = first && cellWidth(text.slice(0, first.end)) > width;
  const from = far ? text.lastIndexOf(" ", Math.max(0, first.start - Math.floor(width / 3))) + 1 : 0;
  const shown = truncate(`${from > 0 ? "…" : ""}${text.slice(from)}`, width);
  let marked = "";
  let at = 0;
  for (const { start, end } of findWords(shown, wanted)) {
    marked += shown.slice(at, start) + theme.bold(theme.accent(shown.slice(start, end)));
    at = end;
  }
  return marked + shown.slice(at);
}

/** The plain text of a message, or a description of a message without text; cached. */
function saidBy(message: Message): string {
  const known = said.get(message);
  if (known !== undefined) return known;
  const text = cleanLine(flatText(message.text)) || instead(message);
  said.set(message, text);
  return text;
}
const said = new WeakMap<Message, string>();

function messageRows(look: SearchLook, message: Message, place: string, wanted: readonly string[]): string[] {
  const { theme, width, now, utc, glyphs } = look;
  const when = shortWhen(timeToMs(message.created_at), now, utc === undefined ? {} : { utc });
  const reply = message.parent_id === undefined ? "" : ` · ${words.search.reply}`;
  const who = truncate(
    fitTerminal(`${place} · ${userName(message.user)}${reply}`, glyphs),
    Math.max(1, width - cellWidth(when) - 4),
  );
  return [
    theme.dim(`${padEnd(who, width - cellWidth(when) - 3)} ${when}`),
    `  ${excerpt(theme, fitTerminal(saidBy(message), glyphs), wanted, Math.max(1, width - 4))}`,
  ];
}

function rowsOf(look: SearchLook, state: State, search: SearchState, line: FoundLine): string[] {
  const { theme, width } = look;
  switch (line.kind) {
    case "head":
      return [theme.bold(line.text)];
    case "said":
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
      return messageRows(look, line.message, place, foldedWords(search.query.words));
    }
  }
}

/** The visible rows of the results, scrolled to the selected line. */
function windowRows(look: SearchLook, state: State, search: SearchState): FoundRow[] {
  const lines = foundLines(state, search);
  const chosen = chosenLine(lines, search.selected);
  const rows: FoundRow[] = [];
  let at = 0;
  for (const line of lines) {
    const marked = line === chosen;
    if (marked) at = rows.length;
    const mark = marked ? look.theme.accent("▌") : " ";
    for (const text of rowsOf(look, state, search, line))
      rows.push({ text: mark + text, ...(canChoose(line) && { line }) });
  }
  const height = Math.max(1, look.height - HEAD);
  const top = windowTop(at, rows.length, height);
  return rows.slice(Math.max(0, top), Math.max(0, top) + height);
}

/** All rows below the title. */
export function searchRows(look: SearchLook, state: State, search: SearchState): string[] {
  const stand = ` ${truncate(searchStatus(search), Math.max(1, look.width - 2))}`;
  return [
    inputRow(look, search),
    look.theme.dim(stand),
    ...windowRows(look, state, search).map(({ text }) => text),
  ];
}

/** The line at a row below the title. */
export const resultLineAt = (
  look: SearchLook,
  state: State,
  search: SearchState,
  y: number,
): Chosen | undefined => (y < HEAD ? undefined : windowRows(look, state, search)[y - HEAD]?.line);
