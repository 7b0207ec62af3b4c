/** Keeps columns aligned where terminals disagree about the width of a word. */
import { cellWidth } from "../../text/width.ts";

/**
 * Characters that some terminals draw in their own cell and others combine with the one before: scripts of South and South-East
 * Asia with vowel signs, emoji of several parts, digits with a sign before them. Measured: xterm, tmux and VTE differ from kitty,
 * Ghostty and Windows Terminal.
 */
const UNCERTAIN =
  /[\u0600-\u0605\u06dd\u070f\u0900-\u0dff\u0e33\u0eb3\u0f00-\u109f\u1780-\u17ff\u1a20-\u1aaf\u1b00-\u1c4f\ua800-\ua82f\ua880-\ua8df\ua980-\ua9df\uaa00-\uaadf\uabc0-\uabff\u{11000}-\u{11fff}\u{e0020}-\u{e007f}]|\u200d|\u20e3|\ufe0f|\p{Emoji_Modifier}/u;
/** Splits a frame of Ink into sequences and text. */
const FRAME_PARTS = /\x1b\[([\d;:?]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[78]|\r|[^\x1b\r]+/g;
/** Matches the borders between columns: runs of blanks, lines and blocks. */
const EDGES = /( {2,}|[\u2500-\u259f]+)/;

const toColumn = (x: number): string => `\x1b[${x + 1}G`;

function steadyRow(row: string): string {
  let out = "";
  let x = 0;
  let uncertain = false;
  for (const [part, parameters = "", final] of row.matchAll(FRAME_PARTS)) {
    if (part.startsWith("\x1b") || part === "\r") {
      out += part;
      // Ink moves to columns only with G, or to the first column of another row.
      if (final === "G") x = (Number(parameters) || 1) - 1;
      else if (final === "H") x = (Number(parameters.split(";")[1]) || 1) - 1;
      else if (final === "E" || part === "\r") x = 0;
      continue;
    }
    for (const text of part.split(EDGES)) {
      if (text === "") continue;
      const cells = cellWidth(text);
      const isEdge = EDGES.test(text);
      if (isEdge && uncertain) {
        out += text.startsWith(" ") ? text + toColumn(x + cells) : toColumn(x) + text;
        uncertain = false;
      } else {
        out += text;
        uncertain ||= !isEdge && UNCERTAIN.test(text);
      }
      x += cells;
    }
  }
  return out;
}

/** Adds cursor positioning after uncertain words, so that the following columns are aligned. */
export const steadyColumns = (frame: string): string =>
  UNCERTAIN.test(frame)
    ? frame
        .split("\n")
        .map((row) => (UNCERTAIN.test(row) ? steadyRow(row) : row))
        .join("\n")
    : frame;
