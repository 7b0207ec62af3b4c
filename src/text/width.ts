/** Measures text in terminal cells, and cuts and pads by them. */
import stringWidth from "string-width";
import { graphemes } from "./graphemes.ts";

const ASCII = /^[\x20-\x7e]*$/;
/** One cell each in every terminal measured. */
const NARROW =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2500-\u259f]*$/;
/** Signs of our own panes and emoji of one code point: the library finds the same, with rules that take 10 ms to load. */
const SIGN = /^[\xa1-\xac\xae-\xff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u23ce\u2500-\u25fc]$/;
const EMOJI = /^[\p{Emoji_Presentation}--[\p{Regional_Indicator}\p{Emoji_Modifier}]]$/v;
const ESCAPES = /\x1b\[[\d;:]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g;

const CACHED = 4096;
const known = new Map<string, number>();

/** Cells of one grapheme (remembered: the emoji test of the width library is the dearest part of a row). */
export function graphemeWidth(grapheme: string): number {
  const code = grapheme.charCodeAt(0);
  if (grapheme.length === 1) {
    if (code >= 0x20 && code < 0x7f) return 1;
    if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3041 && code <= 0x3096)) return 2;
  }
  let cells = known.get(grapheme);
  if (cells === undefined) {
    cells = SIGN.test(grapheme) ? 1 : EMOJI.test(grapheme) ? 2 : stringWidth(grapheme);
    // Long graphemes are hostile and never come back: not worth a place.
    if (grapheme.length <= 32) {
      if (known.size >= CACHED) known.clear();
      known.set(grapheme, cells);
    }
  }
  return cells;
}

/** Our own escapes (SGR, OSC 8) taken out of a styled row. */
export function plain(styled: string): string {
  return styled.includes("\x1b") ? styled.replace(ESCAPES, "") : styled;
}

/** Cells of a text of one line; our own SGR and OSC 8 count nothing. */
export function cellWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  const bare = plain(text);
  if (NARROW.test(bare)) return bare.length;
  let cells = 0;
  for (const grapheme of graphemes(bare)) cells += graphemeWidth(grapheme);
  return cells;
}

/** The text when it fits into `cells`, else as many graphemes as do with `mark` behind them. Unstyled text of one line. */
export function truncate(text: string, cells: number, mark = "…"): string {
  if (text.length <= cells && NARROW.test(text)) return text;
  if (NARROW.test(text)) {
    const room = cells - cellWidth(mark);
    return room < 0 ? "" : text.slice(0, room) + mark;
  }
  // Each grapheme may be zero cells wide: the limit on their number keeps the work bounded.
  const parts = graphemes(text, cells * 4 + 8);
  const limit = cells - cellWidth(mark);
  let used = 0;
  let length = 0;
  let fits = 0;
  for (const part of parts) {
    used += graphemeWidth(part);
    if (used > cells) break;
    length += part.length;
    if (used <= limit) fits = length;
  }
  if (length === text.length) return text;
  return limit < 0 ? "" : text.slice(0, fits) + mark;
}

/** The end of a text in at most `cells` cells, behind a mark where something is missing. */
export function truncateStart(text: string, cells: number): string {
  if (cellWidth(text) <= cells) return text;
  let used = 1;
  let from = text.length;
  // What has no width is bounded, too: a cell never needs more than this.
  for (const part of graphemes(text.slice(-cells * 32)).toReversed()) {
    used += graphemeWidth(part);
    if (used > cells) break;
    from -= part.length;
  }
  return cells < 1 ? "" : `…${text.slice(from)}`;
}

/** The text with blanks behind it up to `cells`; unchanged when it is as wide already. */
export function padEnd(text: string, cells: number): string {
  const missing = cells - cellWidth(text);
  return missing > 0 ? text + " ".repeat(missing) : text;
}

/** What the terminal was found to draw narrower or wider than we count (specification/screen.md §6); each true drops that part. */
export interface WidthPolicy {
  /** ❤️ is drawn in one cell: drop VS16 (and the box of a keycap). */
  dropVariation?: boolean;
  /** 👍🏽 is drawn as two glyphs: drop the skin tone. */
  dropSkinTone?: boolean;
  /** 👩‍💻 is drawn as its parts: put them side by side, without the joiner and the gender sign. */
  dropJoiner?: boolean;
  /** Emoji are not to be drawn at all: what stands in their place. */
  asNames?: ((text: string) => string) | undefined;
}

/** Cleaned text as this terminal draws it in as many cells as we count. */
export function fitTerminal(text: string, policy: WidthPolicy | undefined): string {
  if (policy?.asNames) return policy.asNames(text);
  if (!policy || !/[\ufe0f\u200d]|\p{Emoji_Modifier}/u.test(text)) return text;
  let out = text;
  if (policy.dropJoiner) out = out.replace(/\u200d[\u2640\u2642]\ufe0f?/g, "").replace(/\u200d/g, "");
  if (policy.dropSkinTone) out = out.replace(/[\u{1f3fb}-\u{1f3ff}]/gu, "");
  if (policy.dropVariation) out = out.replace(/\ufe0f\u20e3?/g, "");
  return out;
}
