/** The context for rendering a message, and helpers for names and columns. */
import { cleanLine, cleanName } from "../../text/sanitize.ts";
import { cellWidth, fitTerminal, truncate, type WidthPolicy } from "../../text/width.ts";
import type { SoundState } from "../../model/sounds.ts";
import { firstName } from "../../model/namesakes.ts";
import { clockCells } from "../../text/times.ts";
import { words } from "../../text/words.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { User } from "../../wire/entities/user.ts";
import type { Maps } from "./map.ts";
import { authorColor, colorNumber, type Styler, type Theme } from "./theme.ts";

/** Draws thumbnails under the lines of picture files. */
export interface Thumbnails {
  /** A cache key that changes when the thumbnail would be drawn differently; empty if none is drawn. */
  cacheKey(attachments: readonly Attachment[] | undefined): string;
  /** Rows of at most `cells` cells; the number of rows is the same while it is loading, 0 if none is drawn. */
  thumbnail(attachment: Attachment, cells: number): string[];
}

export interface RowContext {
  /** Width of a row in cells, without the pane's gutter (cursor, selection). */
  width: number;
  theme: Theme;
  /** Milliseconds since the epoch; used only for countdowns and for the year of a date. */
  now: number;
  utc?: boolean;
  me: { id: string };
  /** The number of an author for a colour; absent = from the id alone. */
  authorNumber?: (userId: string) => number;
  /** Follows a message of the same author within five minutes: no name. */
  grouped?: boolean;
  /** In the same minute as the message before it: the time is not repeated. */
  sameMinute?: boolean;
  /** Another member has the author's first name, so the first name alone would be ambiguous. */
  hasNamesake?: boolean;
  /** Maximum width of the text in cells; absent = as wide as the pane. */
  textWidth?: number;
  /** Number of others who have read one's own message; absent = no read mark. */
  readBy?: number;
  /** Rendered in a thread panel: no reply count, no "replied in a thread". */
  inThread?: boolean;
  /** The terminal supports OSC 8. */
  hyperlinks?: boolean;
  glyphs?: WidthPolicy;
  thumbnails?: Thumbnails;
  /** The sound that plays, or was played last. */
  sound?: SoundState;
  /** No letter is a key here, so that none is named. */
  withoutLetters?: boolean;
  /** The text is not folded. */
  expanded?: boolean;
  /** For a screen reader: words only. */
  spoken?: boolean;
  /** The rows are rendered to find the clickable spots in them (spots.ts). */
  spots?: boolean;
  /** The language of the translation to show. */
  language?: string;
  /** Spoilers are shown. */
  revealed?: boolean;
  /** Draws maps of locations; absent = words only. */
  maps?: Maps;
  /** Called when code was drawn without colours because the highlighter is not loaded (highlight.ts). */
  onCode?: () => void;
}

export type AuthorContext = Pick<RowContext, "theme" | "me" | "authorNumber">;

interface Columns {
  /** Width of the name column; 0 if time and name have their own row. */
  name: number;
  /** Column at which the text begins. */
  indent: number;
  /** Width of the text. */
  text: number;
}

/** In narrower panes time and name have a row of their own; the pane has two columns more. */
const ONE_ROW_CELLS = 70;
const NAME_CELLS = 14;
/** Between time, name and text. */
const GAP = 2;

/** Time, name and text side by side if there is room, else the text under its author. */
export function columnsFor({
  width,
  textWidth = Infinity,
}: Pick<RowContext, "width" | "textWidth">): Columns {
  const isNarrow = width < ONE_ROW_CELLS;
  const indent = isNarrow ? (width < 16 ? 0 : 2) : clockCells() + GAP + NAME_CELLS + GAP;
  return { name: isNarrow ? 0 : NAME_CELLS, indent, text: Math.min(textWidth, Math.max(2, width - indent)) };
}

/** The width of the rules between messages: they end with the text. */
export function measureOf(ctx: Pick<RowContext, "width" | "textWidth">): number {
  const { indent, text } = columnsFor(ctx);
  return Math.min(ctx.width, indent + text);
}

/** Sanitises untrusted text for one line of at most `cells` cells; empty for anything but a string. */
export function safeLine(ctx: RowContext, text: unknown, cells: number): string {
  if (typeof text !== "string" || text === "" || cells < 1) return "";
  return truncate(fitTerminal(cleanLine(text.length > 4096 ? text.slice(0, 4096) : text), ctx.glyphs), cells);
}

/** The name of a user, else the id, never empty. */
export function displayName(ctx: RowContext, user: User | null | undefined, cells: number): string {
  const name = cleanName(user?.name ?? "", cells) || cleanName(user?.id ?? "", cells) || words.message.nobody;
  return truncate(fitTerminal(name, ctx.glyphs), cells);
}

/** Maximum width at which a name is measured before it is cut. */
const MAX_NAME_CELLS = 64;

/** The name for a column of `cells` cells; a name that is too long is reduced to the first name if that fits and is unambiguous. */
export function columnName(ctx: RowContext, user: User | null | undefined, cells: number): string {
  const full = displayName(ctx, user, MAX_NAME_CELLS);
  const first = firstName(full);
  const firstCells = cellWidth(first);
  // A cut name is unambiguous if at least one letter of the next word is visible.
  const isCutUnique = ctx.hasNamesake && firstCells + 3 <= cells;
  const fits = !isCutUnique && cellWidth(full) > cells && firstCells > 1 && firstCells <= cells;
  return fits ? first : displayName(ctx, user, cells);
}

/** The style of an author's name; one's own is the accent. */
export const nameStyle = ({ theme, me, authorNumber = colorNumber }: AuthorContext, userId: string): Styler =>
  userId === me.id ? theme.own : authorColor(theme, authorNumber(userId));

/** Prefixes every row with the rail of a quote, two cells wide. */
export function railed(ctx: RowContext, rows: readonly string[]): string[] {
  const rail = ctx.theme.dim("▎");
  return rows.map((row) => (row === "" ? rail : `${rail} ${row}`));
}
