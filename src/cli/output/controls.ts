/** Escapes control characters in piped data, so that it cannot steer the terminal of whoever shows it later. */

/** C0 but tab and line feed, DEL and C1. */
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A cell of CSV: its lines and tabs stay, because they stand between quotes. */
export const plainCell = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(STEERING, "\ufffd").toWellFormed();

/** A value in a line: lines and tabs of the data would look like those that were asked for. */
export const plainLine = (text: string): string => plainCell(text).replace(/[\n\t]/g, " ");
