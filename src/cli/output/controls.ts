/** Replaces control characters in piped data, so that it cannot control a terminal that prints it later. */

/** C0 except tab and line feed, DEL and C1. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A CSV cell: line breaks and tabs stay, because the cell is quoted. */
export const plainCell = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(CONTROLS, "\ufffd").toWellFormed();

/** A value within a line: its line breaks and tabs become spaces, so that only the separators of the format remain. */
export const plainLine = (text: string): string => plainCell(text).replace(/[\n\t]/g, " ");
