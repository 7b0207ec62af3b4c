/** The thumb in the right column of a list that scrolls. */
import { padEnd } from "../../text/width.ts";
import type { Theme } from "../render/theme.ts";

/** Rows of the list beside which the thumb stands, from one to before another. */
export interface Thumb {
  from: number;
  to: number;
}

/** Undefined if the whole list is visible. */
export function thumbOf(top: number, height: number, length: number): Thumb | undefined {
  if (length <= height || height < 1) return undefined;
  const size = Math.max(1, Math.round((height * height) / length));
  const from = Math.round((top / (length - height)) * (height - size));
  return { from, to: from + size };
}

export const movedThumb = (thumb: Thumb | undefined, by: number): Thumb | undefined =>
  thumb && { from: thumb.from + by, to: thumb.to + by };

/** Rows one cell narrower than `width`, with the thumb at their right. */
export const besideThumb = (
  rows: readonly string[],
  { from, to }: Thumb,
  { theme, width }: { theme: Theme; width: number },
): string[] => rows.map((row, y) => padEnd(row, width - 1) + (y >= from && y < to ? theme.line("▐") : " "));
