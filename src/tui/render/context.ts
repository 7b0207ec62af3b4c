/** What rendering a message depends on besides the message. */
import { cleanLine, cleanName } from "../../text/sanitize.ts";
import { cellWidth, fitTerminal, truncate, type WidthPolicy } from "../../text/width.ts";
import { firstName } from "../../model/namesakes.ts";
import { clockCells } from "../../text/times.ts";
import { words } from "../../text/words.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { User } from "../../wire/entities/user.ts";
import type { Maps } from "./map.ts";
import type { Theme } from "./theme.ts";

/** Small pictures under the lines of their files. */
export interface Thumbnails {
  /** Another text when the picture of these attachments would be drawn otherwise; empty where none is drawn. */
  stamp(attachments: readonly Attachment[] | undefined): string;
  /** At most so many cells wide; as many rows while it is loading as afterwards, none where it is not drawn. */
  thumbnail(attachment: Attachment, cells: number): string[];
}

export interface RowContext {
  /** Cells of a row; the pane's own gutter (cursor, selection) is not part of it. */
  width: number;
  theme: Theme;
  /** Milliseconds since the epoch; only what runs out (live locations) and the year of a date look at it. */
  now: number;
  utc?: boolean;
  me: { id: string };
  /** Under another message of the same author within five minutes: no time, no name. */
  grouped?: boolean;
  /** In the same minute as the message before it: its time would say nothing new. */
  sameMinute?: boolean;
  /** Somebody else here has the author's first name: that alone would name both. */
  hasNamesake?: boolean;
  /** Time, name and text stay beside each other however narrow the pane is. */
  oneLine?: boolean;
  /** Cells that a text is wide at most; absent = as wide as the pane. */
  textWidth?: number;
  /** Others who have read it, on an own message whose mark is wanted; absent = no mark. */
  readBy?: number;
  /** The rows stand in a thread panel: no reply count, no "replied in a thread". */
  inThread?: boolean;
  /** The terminal knows OSC 8. */
  hyperlinks?: boolean;
  glyphs?: WidthPolicy;
  thumbnails?: Thumbnails;
  /** The whole text instead of its first rows. */
  expanded?: boolean;
  /** For a reader: words alone. */
  spoken?: boolean;
  /** The rows are made to find what can be pressed in them (spots.ts). */
  spots?: boolean;
  /** The language that a translated message is shown in. */
  language?: string;
  /** Spoilers are open. */
  revealed?: boolean;
  /** Locations are drawn; absent = words alone. */
  maps?: Maps;
  /** Code of a known language was drawn plain because the highlighter is not loaded (highlight.ts). */
  onCode?: () => void;
}

interface Grid {
  /** Cells of the name's column; 0 when time and name have a row of their own. */
  name: number;
  /** Where text begins. */
  indent: number;
  /** Cells of text. */
  text: number;
}

/** `HH:MM name text` on one row where there is room; below 56 cells the text stands under its header, but where panes stand beside each other. */
export function gridFor({
  width,
  oneLine,
  textWidth = Infinity,
}: Pick<RowContext, "width" | "oneLine" | "textWidth">): Grid {
  if (width < 56 && !(oneLine && width >= 30)) {
    const indent = width < 16 ? 0 : 2;
    return { name: 0, indent, text: Math.min(textWidth, Math.max(2, width - indent)) };
  }
  const name = width < 56 ? 6 : width < 90 ? 8 : 12;
  const indent = clockCells() + 1 + name + 1;
  return { name, indent, text: Math.min(textWidth, width - indent) };
}

/** Untrusted text (anything but a text is none) on one line of at most `cells`, as this terminal draws it. */
export function safeLine(ctx: RowContext, text: unknown, cells: number): string {
  if (typeof text !== "string" || text === "" || cells < 1) return "";
  return truncate(fitTerminal(cleanLine(text.length > 4096 ? text.slice(0, 4096) : text), ctx.glyphs), cells);
}

/** How a person is called: the name, else the id, never nothing. */
export function displayName(ctx: RowContext, user: User | null | undefined, cells: number): string {
  const name = cleanName(user?.name ?? "", cells) || cleanName(user?.id ?? "", cells) || words.message.nobody;
  return truncate(fitTerminal(name, ctx.glyphs), cells);
}

/** The longest name that is not cut to fit a column. */
const LONG_NAME = 64;

/** The name as a column of so many cells shows it: of one that is too long the first name, where that fits whole and is nobody else's. */
export function columnName(ctx: RowContext, user: User | null | undefined, cells: number): string {
  const whole = displayName(ctx, user, LONG_NAME);
  const first = firstName(whole);
  const taken = cellWidth(first);
  // A cut name tells two apart where a letter of the next word is left of it.
  const tellsApart = ctx.hasNamesake && taken + 3 <= cells;
  const fits = !tellsApart && cellWidth(whole) > cells && taken > 1 && taken <= cells;
  return fits ? first : displayName(ctx, user, cells);
}

/** Every row with the rail of what belongs to a message; two cells wide. */
export function railed(ctx: RowContext, rows: readonly string[]): string[] {
  const rail = ctx.theme.dim("┃");
  return rows.map((row) => (row === "" ? rail : `${rail} ${row}`));
}
