/** The title row of a panel, with the key that closes it. */
import { cellWidth, padEnd, truncate } from "../../text/width.ts";
import type { Theme } from "../render/theme.ts";

/** `crumb` names the channel or thread the panel covers, before the title. */
export function titleRow(theme: Theme, title: string, crumb: string, width: number): string {
  const close = "Esc ✕ ";
  const room = width - cellWidth(close) - 1;
  const text = truncate(crumb ? `${crumb} › ${title}` : title, Math.max(1, room - 1));
  return theme.bold(` ${padEnd(text, room)}`) + theme.dim(close);
}
