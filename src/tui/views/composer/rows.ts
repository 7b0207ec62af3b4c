/** Rows of the composer: a banner for quote, edit and reply, then the text. */
import { clean, cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, graphemeWidth, padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { Layouter, type TextLayout } from "../../editor/layout.ts";
import { selectionOf } from "../../editor/state.ts";
import { userName } from "../../../model/channels.ts";
import { excerpt } from "../../../model/message-words.ts";
import type { Message } from "../../../wire/entities/message.ts";
import type { ComposerBox } from "../../screen/composer.ts";
import { attachmentChipRows, type ChipRow } from "./chips.ts";
import { memoLast } from "../../screen/store.ts";
import type { Theme } from "../../render/theme.ts";

const PROMPT = " › ";
const PROMPT_WIDTH = 3;

const layouter = new Layouter(graphemeWidth);

/** Asked for by several panes of one frame: laid out once. */
const laidOut = memoLast((text: string, cursor: number, width: number): TextLayout =>
  layouter.layout(text, cursor, width),
);

export function textLayout(composer: ComposerBox, width: number): TextLayout {
  return laidOut(composer.editor.text, composer.editor.cursor, Math.max(2, width - PROMPT_WIDTH - 1));
}

export { layouter };

/** What the place says over the box: that nothing can be posted there, or where a reply goes. */
export interface Over {
  readonly shut?: string;
  /** Why nothing goes out now, and what helps, ever shorter. */
  readonly link?: readonly [string, ...string[]];
  readonly reply?: string;
  /** What the box edits or quotes, as it stands now. */
  readonly about?: Message;
  /** The text as others will see it, in finished rows. */
  readonly preview?: readonly string[];
}

/** Of an edit: what the message says, and that this is not what it said when the edit began. */
function editedWords(begun: Message, now: Message = begun): string {
  const { edits, editsChanged, editsDeleted } = words.message;
  if (now.type === "deleted") return editsDeleted;
  return now.text === begun.text ? edits(excerpt(now)) : editsChanged(excerpt(now));
}

const quotedWords = (quote: Message): string => words.message.quotes(userName(quote.user), excerpt(quote));

/** What is edited is not there any more as it was. */
const isMoved = ({ editing }: ComposerBox, { about }: Over): boolean =>
  editing !== undefined &&
  about !== undefined &&
  (about.type === "deleted" || about.text !== editing.message.text);

/** The line over the text that says what Enter will do, when that is not a plain message. */
export function bannerOf(composer: ComposerBox, over: Over, width = Infinity): string | undefined {
  if (composer.editing) return editedWords(composer.editing.message, over.about);
  if (over.shut !== undefined) return over.shut;
  if (over.link) return over.link.find((one) => cellWidth(one) + 2 <= width) ?? over.link.at(-1);
  if (composer.quote) return quotedWords(over.about ?? composer.quote);
  return over.reply;
}

/** What hangs on the text: chips of files, and a row of what links say of themselves. */
function hangingOf(composer: ComposerBox, width: number): string[] {
  const links = composer.previews.flatMap(({ status, url, attachment }) => {
    if (status === "loading" || status === "pending") return [`${url} …`];
    return status === "loaded" ? [attachment?.title ?? url] : [];
  });
  return [
    ...attachmentChipRows(composer, width).map(({ text }) => text),
    ...(links.length > 0 && !composer.editing ? [` ${cleanLine(`links · ${links.join(" · ")}`)}`] : []),
  ];
}

const previewOf = ({ preview = [] }: Over): readonly string[] => preview;

/** Rows the box would like at this width. */
export function composerHeight(composer: ComposerBox, width: number, over: Over): number {
  const banner = bannerOf(composer, over) === undefined ? 0 : 1;
  return (
    textLayout(composer, width).rows.length +
    banner +
    hangingOf(composer, width).length +
    previewOf(over).length
  );
}

interface ComposerProps {
  theme: Theme;
  width: number;
  height: number;
  composer: ComposerBox;
  /** What an empty box says: `message #general`. */
  placeholder: string;
  /** Banner of the place. */
  over: Over;
  /** At the right of the first row: `draft kept`, slow mode. */
  note: string;
  /** What is selected by keys, instead of the selection of the text. */
  selected?: { start: number; end: number } | undefined;
}

type Box = Pick<ComposerProps, "composer" | "width" | "height" | "over">;

/** The part of the text around the cursor that fits under the banner. */
function inSight({ composer, width, height, over }: Box) {
  const laid = textLayout(composer, width);
  const banner = height > 1 ? bannerOf(composer, over, width) : undefined;
  const above = banner === undefined ? 0 : 1;
  // The letters come before what hangs on them.
  const hanging = hangingOf(composer, width).slice(0, Math.max(0, height - above - 1));
  // Of a long preview its end, where most is written; half of the box is the text's.
  const free = height - above - hanging.length - Math.min(laid.rows.length, Math.ceil(height / 2));
  const preview = free > 0 ? previewOf(over).slice(-free) : [];
  const first = above + hanging.length + preview.length;
  const room = Math.max(1, height - first);
  const top = Math.max(0, Math.min(laid.cursorRow - room + 1, laid.rows.length - room));
  return { laid, banner, hanging, preview, first, room, top };
}

/** What a row of the box holds, from its top: chips, or a row of the text (negative above it). */
export function rowAt(box: Box, y: number): { chips?: ChipRow; text: number } {
  const { banner, hanging, first, top } = inSight(box);
  const above = banner === undefined ? 0 : 1;
  const chips = attachmentChipRows(box.composer, box.width).slice(0, hanging.length)[y - above];
  return { ...(chips && { chips }), text: y < first ? -1 : y - first + top };
}

/** Where the cursor stands, from the box's top left. */
export function cursorInBox(box: Box): { x: number; y: number } {
  const { laid, first, top } = inSight(box);
  return { x: PROMPT_WIDTH + laid.cursorCol, y: first + laid.cursorRow - top };
}

interface DrawnComposer {
  rows: string[];
  cursor: { x: number; y: number };
}

/** Exactly `height` rows of `width` cells; a long text shows the part around the cursor. */
export function drawComposer(props: ComposerProps): DrawnComposer {
  const { theme, width, height, composer } = props;
  const { laid, banner, hanging, preview, room, top } = inSight(props);
  const shut = props.over.shut !== undefined && !composer.editing;
  const unsendable = shut || (props.over.link !== undefined && !composer.editing);
  const warns = unsendable || isMoved(composer, props.over);
  const rows: string[] = [];
  if (banner !== undefined) {
    const style = warns ? theme.warn : theme.accent;
    rows.push(padEnd(style(truncate(` ${banner}`, width - 1)), width));
  }
  for (const row of hanging) rows.push(padEnd(theme.dim(truncate(row, width - 1)), width));
  for (const row of preview) rows.push(padEnd(row, width));
  const empty = composer.editor.text === "";
  // Where there is no row for the banner, an empty box says it.
  const placeholder = !shut ? props.placeholder : banner === undefined ? props.over.shut! : "";
  const selected = props.selected ?? selectionOf(composer.editor);
  for (let i = 0; i < room; i++) {
    const row = laid.rows[top + i];
    const lead = top + i === 0 ? theme.accent(PROMPT) : " ".repeat(PROMPT_WIDTH);
    if (empty && i === 0) {
      // Why nothing can be posted comes before everything else that could be said in the one row.
      const note = props.note && !(shut && banner === undefined) ? `  ${props.note} ` : "";
      const space = width - PROMPT_WIDTH - cellWidth(note);
      rows.push(lead + theme.dim(padEnd(truncate(placeholder, space), space) + note));
      continue;
    }
    let text = row ? clean(row.text) : "";
    // A selection is shown by whole rows' parts; the text of a row holds its own range.
    if (
      row &&
      selected &&
      selected.start < row.end &&
      selected.end > row.start &&
      text.length === row.end - row.start
    ) {
      const from = Math.max(0, selected.start - row.start);
      const to = Math.min(text.length, selected.end - row.start);
      text = text.slice(0, from) + theme.inverse(text.slice(from, to)) + text.slice(to);
    }
    const note = i === 0 && props.note ? ` ${props.note} ` : "";
    const space = width - PROMPT_WIDTH;
    const fits = note && cellWidth(text) + cellWidth(note) <= space;
    rows.push(lead + (fits ? padEnd(text, space - cellWidth(note)) + theme.dim(note) : padEnd(text, space)));
  }
  return { rows: rows.slice(0, height), cursor: cursorInBox(props) };
}

export const placeholderFor = (title: string, thread: boolean): string =>
  thread ? words.channel.reply : words.channel.message(title);
