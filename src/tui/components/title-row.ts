/** The title row of a panel, with the key that closes it. */
import { cellWidth, padEnd, truncate } from "../../text/width.ts";
import type { Theme } from "../render/theme.ts";

interface PanelTitle {
  title: string;
  /** The channel or thread that the panel covers. */
  crumb: string;
  width: number;
  /** Where one is, as in `3 of 25`. */
  place: string;
  /** The panel has the keys. */
  focused: boolean;
  /** Nobody has opened it, so Esc does not close it. */
  aside?: boolean;
}

export function titleRow(theme: Theme, { title, crumb, place, width, focused, aside }: PanelTitle): string {
  const whole = crumb ? `${crumb} › ${title}` : title;
  const close = aside ? "" : "Esc × ";
  // The place is left out before the title is cut.
  const fits = place !== "" && cellWidth(whole) + cellWidth(place) + cellWidth(close) + 4 <= width;
  const right = fits ? `${place}  ${close}` : close;
  const room = width - cellWidth(right) - 1;
  const text = truncate(whole, Math.max(1, room - 1));
  return (focused && !aside ? theme.own : theme.dim)(` ${padEnd(text, room)}`) + theme.dim(right);
}
