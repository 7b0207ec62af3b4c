/** Draws the rows of the composer: a banner for quote, edit and reply, attachments, the preview, the text, then its links. */
import type { Wrap } from "../../../text/wrap.ts";
import { clean } from "../../../text/sanitize.ts";
import { cellWidth, graphemeWidth, padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { Layouter, type TextLayout } from "../../editor/layout.ts";
import { selectionOf } from "../../editor/state.ts";
import { userName } from "../../../model/channels.ts";
import { excerpt } from "../../../model/message-words.ts";
import type { Message } from "../../../wire/entities/message.ts";
import type { ComposerBox } from "../../screen/composer.ts";
import { attachmentChipRows, type ChipRow } from "./chips.ts";
import { linkRows, type LinkRow } from "./link-rows.ts";
import { BOTH_HALVES, memoizeLast } from "../../screen/store.ts";
import type { Theme } from "../../render/theme.ts";

const PROMPT = " › ";
const PROMPT_WIDTH = 3;

const layouter = new Layouter(graphemeWidth);

/** Cached: several panes need it in one frame. */
const cachedLayout = memoizeLast(
  (text: string, cursor: number, width: number): TextLayout => layouter.layout(text, cursor, width),
  BOTH_HALVES,
);

export function textLayout(composer: ComposerBox, width: number): TextLayout {
  return cachedLayout(composer.editor.text, composer.editor.cursor, Math.max(2, width - PROMPT_WIDTH - 1));
}

export { layouter };

/** What the composer shows beside its text. */
export interface ComposerContext {
  /** While the text is empty: `message #general`. */
  readonly placeholder: string;
  /** Why nothing can be posted. */
  readonly closedReason?: string;
  /** Why nothing can be sent now, and what helps; from the longest to the shortest wording. */
  readonly linkProblem?: readonly [string, ...string[]];
  /** Who will see the message, if not everybody; from the longest to the shortest wording. */
  readonly seenBy?: readonly [string, ...string[]];
  /** Where a reply goes. */
  readonly reply?: string;
  /** The edited or quoted message in its current version. */
  readonly target?: Message;
  /** The written text as others will see it, as styled rows. */
  readonly preview?: readonly string[];
  /** At the right of the first row: characters left, slow mode's countdown, or that the draft is saved. */
  readonly note: string;
}

/** The banner of an edit; tells when the message has changed since the edit began. */
function editBanner(original: Message, current: Message = original): string {
  const { edits, editsChanged, editsDeleted } = words.message;
  if (current.type === "deleted") return editsDeleted;
  return current.text === original.text ? edits(excerpt(current)) : editsChanged(excerpt(current));
}

const quoteBanner = (quote: Message): string => words.message.quotes(userName(quote.user), excerpt(quote));

/** The edited message was changed or deleted since the edit began. */
const hasTargetChanged = ({ editing }: ComposerBox, { target }: ComposerContext): boolean =>
  target !== undefined && (target.type === "deleted" || target.text !== editing?.message.text);

/** The longest of several wordings that fits beside a margin of two cells. */
const fitting = (wordings: readonly string[], width: number): string | undefined =>
  wordings.find((one) => cellWidth(one) + 2 <= width) ?? wordings.at(-1);

/** Who will see it comes first, so that it is never cut off. */
function seenBanner(composer: ComposerBox, { seenBy, ...context }: ComposerContext, width: number) {
  if (context.closedReason !== undefined && !composer.editing) return context.closedReason;
  return [fitting(seenBy ?? [], width), bannerOf(composer, context, width)]
    .filter((each) => each !== undefined)
    .join(" · ");
}

/** The line above the text that tells who will see it and what Enter will do, unless it sends a plain message to everybody. */
export function bannerOf(
  composer: ComposerBox,
  context: ComposerContext,
  width = Infinity,
): string | undefined {
  if (context.seenBy) return seenBanner(composer, context, width);
  if (composer.editing) return editBanner(composer.editing.message, context.target);
  if (context.closedReason !== undefined) return context.closedReason;
  if (context.linkProblem) return fitting(context.linkProblem, width);
  if (composer.quote) return quoteBanner(context.target ?? composer.quote);
  return context.reply;
}

/** Chips of files. */
function attachmentRows(composer: ComposerBox, width: number): string[] {
  const hasFiles = composer.carried.length + composer.uploads.length > 0;
  return hasFiles ? attachmentChipRows(composer, width).map(({ text }) => text) : [];
}

const NO_LINKS: readonly LinkRow[] = [];

/** Rows that the composer needs at this width to show everything. */
export function composerHeight(composer: ComposerBox, width: number, context: ComposerContext): number {
  const banner = bannerOf(composer, context) === undefined ? 0 : 1;
  const { preview = [] } = context;
  const { rows } = textLayout(composer, width);
  const attachments = attachmentRows(composer, width).length;
  // Most texts have no links, which costs nothing.
  const links = composer.previews.length === 0 ? 0 : linkRows(composer, width).length;
  return rows.length + banner + attachments + preview.length + links;
}

interface ComposerProps {
  theme: Theme;
  width: number;
  height: number;
  composer: ComposerBox;
  context: ComposerContext;
  /** The box has the keys. */
  focused?: boolean;
  /** Vim's visual selection, instead of that of the editor. */
  selected?: { start: number; end: number } | undefined;
}

type BoxSize = Pick<ComposerProps, "composer" | "width" | "height" | "context">;

/** Divides the height among banner, attachments, preview, the part of the text around the cursor, and links. */
function visibleParts({ composer, width, height, context }: BoxSize) {
  const layout = textLayout(composer, width);
  const banner = height > 1 ? bannerOf(composer, context, width) : undefined;
  const above = banner === undefined ? 0 : 1;
  // At least one row is left for the text.
  const attachments = attachmentRows(composer, width).slice(0, Math.max(0, height - above - 1));
  // The text gets up to half of the height.
  const textRows = Math.min(layout.rows.length, Math.ceil(height / 2));
  const below = height - above - attachments.length - textRows;
  const all = composer.previews.length === 0 ? NO_LINKS : linkRows(composer, width);
  const links = all.slice(0, Math.max(0, below));
  // A long preview shows its end, where the user usually writes.
  const free = below - links.length;
  const preview = free > 0 ? (context.preview ?? []).slice(-free) : [];
  const first = above + attachments.length + preview.length;
  const room = Math.max(1, height - first - links.length);
  const top = Math.max(0, Math.min(layout.cursorRow - room + 1, layout.rows.length - room));
  return { layout, banner, attachments, preview, links, first, room, top };
}

/** What is drawn at row `y` of the composer: chips, a link, or a row of the text (-1 outside of the text). */
export function rowAt(box: BoxSize, y: number): { chips?: ChipRow; link?: LinkRow; text: number } {
  const { banner, attachments, links, first, room, top } = visibleParts(box);
  const link = links[y - first - room];
  if (link) return { link, text: -1 };
  const above = banner === undefined ? 0 : 1;
  const chips = attachmentChipRows(box.composer, box.width).slice(0, attachments.length)[y - above];
  return { ...(chips && { chips }), text: y < first ? -1 : y - first + top };
}

/** The cursor, relative to the composer's top left. */
export function cursorInBox(box: BoxSize): { x: number; y: number } {
  const { layout, first, top } = visibleParts(box);
  return { x: PROMPT_WIDTH + layout.cursorCol, y: first + layout.cursorRow - top };
}

/** A row of the text, with the selected part marked. */
function textOf(row: TextLayout["rows"][number], selected: ComposerProps["selected"], theme: Theme): string {
  const text = clean(row.text);
  // Only in rows whose text was not altered by `clean`, so that the offsets fit.
  const isSelected = selected && selected.start < row.end && selected.end > row.start;
  if (!isSelected || text.length !== row.end - row.start) return text;
  const from = Math.max(0, selected.start - row.start);
  const to = Math.min(text.length, selected.end - row.start);
  return text.slice(0, from) + theme.marked(text.slice(from, to)) + text.slice(to);
}

/** Draws exactly `height` rows of `width` cells; of a long text the part around the cursor. */
export function drawComposer(props: ComposerProps): string[] {
  const { theme, width, height, composer, context } = props;
  const { layout, banner, attachments, preview, links, room, top } = visibleParts(props);
  const isClosed = context.closedReason !== undefined && !composer.editing;
  const cannotSend = isClosed || (context.linkProblem !== undefined && !composer.editing);
  const warns =
    cannotSend || context.seenBy !== undefined || (composer.editing && hasTargetChanged(composer, context));
  const rows: string[] = [];
  if (banner !== undefined) {
    const style = warns ? theme.warn : theme.accent;
    rows.push(padEnd(style(truncate(` ${banner}`, width - 1)), width));
  }
  for (const row of attachments) rows.push(padEnd(theme.dim(truncate(row, width - 1)), width));
  for (const row of preview) rows.push(padEnd(row, width));
  const empty = composer.editor.text === "";
  // Without a row for the banner, the placeholder gives the reason.
  const placeholder = !isClosed ? context.placeholder : banner === undefined ? context.closedReason! : "";
  // Without a row for the banner, the note says who will see it.
  const noted = (banner === undefined && context.seenBy?.at(-1)) || context.note;
  const selected = props.selected ?? selectionOf(composer.editor);
  for (let i = 0; i < room; i++) {
    const row = layout.rows[top + i];
    const prompt = props.focused === false ? theme.dim : theme.accent;
    const lead = top + i === 0 ? prompt(PROMPT) : " ".repeat(PROMPT_WIDTH);
    if (empty && i === 0) {
      // In a single row the reason takes precedence over the note.
      const note = noted && !(isClosed && banner === undefined) ? `  ${noted} ` : "";
      const space = width - PROMPT_WIDTH - cellWidth(note);
      rows.push(lead + theme.dim(padEnd(truncate(placeholder, space), space) + note));
      continue;
    }
    const text = row ? textOf(row, selected, theme) : "";
    const note = i === 0 && noted ? ` ${noted} ` : "";
    const space = width - PROMPT_WIDTH;
    const fits = note && cellWidth(text) + cellWidth(note) <= space;
    rows.push(lead + (fits ? padEnd(text, space - cellWidth(note)) + theme.dim(note) : padEnd(text, space)));
  }
  for (const { text } of links) rows.push(padEnd(theme.dim(truncate(text, width - 1)), width));
  return rows.slice(0, height);
}

/** How each row of the box goes on in the next one. */
export function composerWraps(box: BoxSize): Wrap[] {
  const { layout, links, first, room, top } = visibleParts(box);
  const { text } = box.composer.editor;
  const wraps = layout.rows.map(({ start, end }, at): Wrap => {
    const next = layout.rows[at + 1];
    if (!next || text.slice(end, next.start).includes("\n")) return undefined;
    return /\s$/.test(text.slice(start, next.start)) ? " " : "";
  });
  const above = Array.from({ length: first }, () => undefined);
  const shown = Array.from({ length: room }, (_, at) => wraps[top + at]);
  return [...above, ...shown, ...links.map(() => undefined)];
}

export const placeholderFor = (title: string, thread: boolean): string =>
  thread ? words.channel.reply : words.channel.message(title);
