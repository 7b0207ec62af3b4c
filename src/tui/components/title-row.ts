/** The title row of a panel, with the key that closes it. */
import { cellWidth, padEnd, truncate } from "../../text/width.ts";
import type { Theme } from "../render/theme.ts";

interface PanelTitle {
  title: string;
  /** The channel or thread that the panel covers. */
  crumb: string;
  width: number;
  /** The panel has the keys. */
  focused: boolean;
  /** Nobody has opened it, so Esc does not close it. */
  aside?: boolean;
}

export function titleRow(theme: Theme, { title, crumb, width, focused, aside }: PanelTitle): string {
  const close = aside ? "" : "Esc × ";
  const room = width - cellWidth(close) - 1;
  const text = truncate(crumb ? `${crumb} › ${title}` : title, Math.max(1, room - 1));
  return (focused && !aside ? theme.own : theme.dim)(` ${padEnd(text, room)}`) + theme.dim(close);
}
