/** Draws a framed box, as used by popups. */
import { cellWidth, padEnd, truncate } from "../../text/width.ts";
import type { Theme } from "../render/theme.ts";
import type { Rect } from "../screen/layout.ts";
import { typedLine } from "./typed-line.ts";
import type { Thumb } from "./thumb.ts";

/** A row of the body that is a line joined to the frame. */
export const RULE = "\0";

interface BoxLabels {
  title: string;
  /** At the right of the upper edge, such as `3 of 12`. */
  count?: string;
  /** In the lower edge, if there is room. */
  foot?: string;
  /** Rows of the body beside which the right edge is the thumb of a list. */
  thumb?: Thumb | undefined;
}

/** `╭─ Title ─── 3 of 12 ─╮`; the count is left out before the title is cut. */
function upperEdge(theme: Theme, { title, count = "" }: BoxLabels, inner: number): string {
  const fits = count !== "" && cellWidth(title) + cellWidth(count) + 8 <= inner;
  const right = fits ? ` ${count} ` : "";
  const head = truncate(title, Math.max(1, inner - 4 - cellWidth(right)));
  const line = "─".repeat(Math.max(0, inner - 4 - cellWidth(head) - cellWidth(right)));
  return `${theme.line("╭─")} ${theme.bold(head)} ${theme.line(line)}${theme.dim(right)}${theme.line("─╮")}`;
}

export function box(theme: Theme, rect: Rect, labels: BoxLabels, body: readonly string[]): string[] {
  const inner = rect.width - 2;
  const { foot = "", thumb } = labels;
  const side = theme.line("│");
  const rows = Array.from({ length: Math.max(0, rect.height - 2) }, (_, y) => {
    const text = body[y] ?? "";
    if (text === RULE) return theme.line(`├${"─".repeat(inner)}┤`);
    const right = thumb && y >= thumb.from && y < thumb.to ? theme.line("▐") : side;
    return side + padEnd(text, inner) + right;
  });
  const label = foot && cellWidth(foot) + 4 <= inner ? foot : "";
  const line = theme.line("─".repeat(inner - (label ? cellWidth(label) + 3 : 0)));
  const lower = label ? `${theme.line("╰─")} ${theme.dim(label)} ${line}` : theme.line("╰") + line;
  return [upperEdge(theme, labels, inner), ...rows, lower + theme.line("╯")];
}

/** A blank ring separates a popup from the text behind it, where a screen of so many rows has room for one. */
export function ringed(
  rect: Rect,
  rows: readonly string[],
  screenRows = Infinity,
): { rect: Rect; rows: string[] } {
  const blank = " ".repeat(rect.width + 2);
  const above = rect.y > 0 ? [blank] : [];
  const below = rect.y > 0 || rect.y + rows.length < screenRows - 1 ? [blank] : [];
  return {
    rect: {
      x: rect.x - 1,
      y: rect.y - above.length,
      width: rect.width + 2,
      height: rows.length + above.length + below.length,
    },
    rows: [...above, ...rows.map((row) => ` ${row} `), ...below],
  };
}

/** Number of empty rows above and below the content of a box: 1 if the screen has room, else 0. */
export const verticalPadding = (lines: number, screenRows: number): 0 | 1 =>
  lines + 4 <= screenRows - 6 ? 1 : 0;

/** `left … right` in exactly `width` cells. */
export function justify(left: string, right: string, width: number): string {
  const leftCells = width - (right ? cellWidth(right) + 2 : 0);
  return padEnd(truncate(left, Math.max(1, leftCells)), leftCells) + (right ? `  ${right}` : "");
}

/** The selected one of a list as `3 of 25`, for its upper edge or title, `3 of 25+` while there may be more; empty for an empty list. */
export const placeInList = (selected: number, length: number, isWhole = true): string =>
  length > 0 ? `${selected + 1} of ${length}${isWhole ? "" : "+"}` : "";

/** `1–10 of 25` of what has no cursor; empty if all of it is visible. */
export const linesShown = (top: number, height: number, length: number): string =>
  length > height ? `${top + 1}–${Math.min(length, top + height)} of ${length}` : "";

/** Cells between the frame of a popup and its text. */
export const PADDING = 2;

/** Cells left of a typed query: frame, padding, prompt. */
export const QUERY_INDENT = 1 + PADDING + 2;

/** A typed query, cut to its end if it is too long. */
export const shownQuery = (typed: string, rect: Rect): string =>
  typedLine(typed, typed.length, rect.width - QUERY_INDENT - PADDING).text;

export const queryRow = (theme: Theme, typed: string, rect: Rect): string =>
  `${" ".repeat(PADDING)}${theme.accent("›")} ${shownQuery(typed, rect)}`;
