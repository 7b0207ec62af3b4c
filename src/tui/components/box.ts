/** Draws a framed box, as used by popups. */
import { cellWidth, padEnd, truncate } from "../../text/width.ts";
import type { Theme } from "../render/theme.ts";
import type { Rect } from "../screen/layout.ts";
import { typedLine } from "./typed-line.ts";

/** `foot` is drawn in the lower edge if there is room. */
export function box(theme: Theme, rect: Rect, title: string, body: readonly string[], footer = ""): string[] {
  const inner = rect.width - 2;
  const head = truncate(title, Math.max(1, inner - 4));
  const top =
    theme.dim("┌─ ") +
    theme.bold(head) +
    theme.dim(` ${"─".repeat(Math.max(0, inner - 3 - cellWidth(head)))}┐`);
  const rows = Array.from({ length: Math.max(0, rect.height - 2) }, (_, i) => {
    const text = body[i] ?? "";
    return theme.dim("│") + padEnd(text, inner) + theme.dim("│");
  });
  const bottomLabel = footer && cellWidth(footer) + 4 <= inner ? ` ${footer} ─` : "";
  return [top, ...rows, theme.dim(`└${"─".repeat(inner - cellWidth(bottomLabel))}${bottomLabel}┘`)];
}

/** Number of empty rows above and below the content of a box: 1 if the screen has room, else 0. */
export const verticalPadding = (lines: number, screenRows: number): 0 | 1 =>
  lines + 4 <= screenRows - 4 ? 1 : 0;

/** `left … right` in exactly `width` cells. */
export function justify(left: string, right: string, width: number): string {
  const leftCells = width - (right ? cellWidth(right) + 2 : 0);
  return padEnd(truncate(left, Math.max(1, leftCells)), leftCells) + (right ? `  ${right}` : "");
}

/** The visible part of a list as `1–10 of 25`, for the lower edge; empty if all of it is visible. */
export const scrollPosition = (top: number, height: number, length: number): string =>
  length > height ? `${top + 1}–${Math.min(length, top + height)} of ${length}` : "";

/** A typed query, cut to its end if it is too long. */
export const shownQuery = (typed: string, rect: Rect): string =>
  typedLine(typed, typed.length, rect.width - 6).text;
