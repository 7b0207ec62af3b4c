/** Draws the row under the cursor of a list: a bar at the left and a fill, which some terminals hardly show. */
import { padEnd } from "../../text/width.ts";
import type { Theme } from "../render/theme.ts";

/** In a popup; the text is already cut, and the bar takes the first of the `width` cells. */
export const selectedRow = (theme: Theme, text: string, width: number): string =>
  theme.selected(theme.accent("▌") + padEnd(text, width - 1));

/** In a pane: without colours the row is bold, since inverse is for popups. */
export const cursorRow = (theme: Theme, text: string, width: number): string =>
  theme.level === 0 ? theme.bold(`▌${padEnd(text, width - 1)}`) : selectedRow(theme, text, width);
