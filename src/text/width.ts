/** Measures, cuts and pads text by terminal cells. */
import stringWidth from "string-width";
import { graphemes } from "./graphemes.ts";

const ASCII = /^[\x20-\x7e]*$/;
/** Characters of one cell in all tested terminals. */
const NARROW =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u203a\u23ce\u2500-\u259f]*$/;
/** Symbols of the screen, and single-code-point emoji: the library gives the same widths, but takes 10 ms to load its rules. */
const NARROW_SYMBOL = /^[\xa1-\xac\xae-\xff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u23ce\u2500-\u25fc]$/;
const wideEmoji = (): RegExp => /^[\p{Emoji_Presentation}--[\p{Regional_Indicator}\p{Emoji_Modifier}]]$/v;
const ESCAPES = /\x1b\[[\d;:]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g;

const MAX_CACHED = 4096;
const widthCache = new Map<string, number>();

/** Cells of one grapheme; cached, because the emoji test of the library is the most expensive part of a row. */
export function graphemeWidth(grapheme: string): number {
  const code = grapheme.charCodeAt(0);
  if (grapheme.length === 1) {
    if (code >= 0x20 && code < 0x7f) return 1;
    if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3041 && code <= 0x3096)) return 2;
  }
  let cells = widthCache.get(grapheme);
  if (cells === undefined) {
    cells = NARROW_SYMBOL.test(grapheme) ? 1 : wideEmoji().test(grapheme) ? 2 : stringWidth(grapheme);
    // Long graphemes are hostile and not repeated, so they are not cached.
    if (grapheme.length <= 32) {
      if (widthCache.size >= MAX_CACHED) widthCache.clear();
      widthCache.set(grapheme, cells);
    }
  }
  return cells;
}

/** Removes the program's own escapes (SGR, OSC 8) from a styled row. */
export function plain(styled: string): string {
  return styled.includes("\x1b") ? styled.replace(ESCAPES, "") : styled;
}

/** Cells of a one-line text, without its SGR and OSC 8 escapes. */
export function cellWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  const bare = plain(text);
  if (NARROW.test(bare)) return bare.length;
  let cells = 0;
  for (const grapheme of graphemes(bare)) cells += graphemeWidth(grapheme);
  return cells;
}

/** The text if it fits into `cells`, else its beginning followed by `mark`. For unstyled one-line text. */
export function truncate(text: string, cells: number, mark = "…"): string {
  if (text.length <= cells && NARROW.test(text)) return text;
  if (NARROW.test(text)) {
    const end = cells - cellWidth(mark);
    return end < 0 ? "" : text.slice(0, end) + mark;
  }
  // Graphemes may have no width, so their number is limited to bound the work.
  const parts = graphemes(text, cells * 4 + 8);
  const limit = cells - cellWidth(mark);
  let used = 0;
  let length = 0;
  let end = 0;
  for (const part of parts) {
    used += graphemeWidth(part);
    if (used > cells) break;
    length += part.length;
    if (used <= limit) end = length;
  }
  if (length === text.length) return text;
  return limit < 0 ? "" : text.slice(0, end) + mark;
}

/** The text if it fits into `cells`, else `…` and its end. */
export function truncateStart(text: string, cells: number): string {
  if (cellWidth(text) <= cells) return text;
  let used = 1;
  let from = text.length;
  // Graphemes may have no width, so their number is limited to bound the work.
  for (const part of graphemes(text.slice(-cells * 32)).toReversed()) {
    used += graphemeWidth(part);
    if (used > cells) break;
    from -= part.length;
  }
  return cells < 1 ? "" : `…${text.slice(from)}`;
}

export function padEnd(text: string, cells: number): string {
  const missing = cells - cellWidth(text);
  return missing > 0 ? text + " ".repeat(missing) : text;
}

/** Characters that the terminal draws in another width than measured (specification/screen.md §6); each flag removes that part. */
export interface WidthPolicy {
  /** ❤️ is drawn in one cell: drop VS16 (and the box of a keycap). */
  dropVariation?: boolean;
  /** 👍🏽 is drawn as two glyphs: drop the skin tone. */
  dropSkinTone?: boolean;
  /** 👩‍💻 is drawn as its parts: put them side by side, without the joiner and the gender sign. */
  dropJoiner?: boolean;
  /** Replaces emoji, if they should not be drawn at all. */
  asNames?: ((text: string) => string) | undefined;
}

/** Adapts sanitized text so that this terminal draws it in the measured width. */
export function fitTerminal(text: string, policy: WidthPolicy | undefined): string {
  if (policy?.asNames) return policy.asNames(text);
  if (!policy || !/[\ufe0f\u200d]|\p{Emoji_Modifier}/u.test(text)) return text;
  let out = text;
  if (policy.dropJoiner) out = out.replace(/\u200d[\u2640\u2642]\ufe0f?/g, "").replace(/\u200d/g, "");
  if (policy.dropSkinTone) out = out.replace(/[\u{1f3fb}-\u{1f3ff}]/gu, "");
  if (policy.dropVariation) out = out.replace(/\ufe0f\u20e3?/g, "");
  return out;
}
