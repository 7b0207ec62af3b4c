/** The allow-list sanitizer for untrusted text before it reaches the screen, logs, titles, tables or file names (specification/security.md §2). */
import { thousands } from "./thousands.ts";
import { graphemes } from "./graphemes.ts";
import { truncate } from "./width.ts";

/** Maximum number of graphemes shown of one text (specification/security.md §1). */
export const SHOWN_GRAPHEMES = 20_000;
/** Maximum number of combining marks per base character (specification/security.md §1). */
const MARKS_PER_BASE = 8;
/** Maximum width of a name, cells (specification/security.md §1). */
const NAME_CELLS = 64;
/** Maximum width of a name where it is shown whole, in several rows (specification/security.md §1). */
export const WHOLE_NAME_CELLS = 512;
/** Code units examined; further ones are only counted, so that the work is bounded. */
const RAW_LIMIT = 80_000;
/** Room for the "… n more" of a shortened text, so that cleaning is idempotent. */
const TAIL_UNITS = 24;

/** Replaces a removed control sequence. */
const SEQUENCE_MARK = "␛";
const UNKNOWN_MARK = "\ufffd";

/** Characters outside this set need the slow path; each one inside is a printable character of its own. */
const NEEDS_SCRUBBING =
  /[^\n\x20-\x7e\xa1-\xac\xae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20ac\u2190-\u21ff\u2500-\u259f\u3000-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]/;

/*
 * CSI; OSC, DCS, SOS, PM, APC and the title string of screen; every other ESC. 7-bit and C1 forms alike.
 * A string ends at BEL or ST; an unterminated one extends to the end of its line, which a terminal could have swallowed
 * as one text. The payload excludes every introducer, so that scanning is linear.
 */
const SEQUENCE =
  /(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]?|(?:\x1b[\]PX^_k]|[\x90\x98\x9d-\x9f])(?:[^\x07\x18\x1a\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)|[^\x07\x18\x1a\x1b\x80-\x9f\n]*)|\x1b[\x20-\x2f]*[\x30-\x7e]?/g;
const COLOUR = /^(?:\x1b\[|\x9b)[\d;:]*m$/;

/** Removes control sequences, as from the output of a program. */
export const withoutSequences = (text: string): string =>
  /[\x1b\x80-\x9f]/.test(text) ? text.replace(SEQUENCE, "") : text;

/** An existing emoji of one character, or followed by VS16 or a keycap (tests/text/emoji-prefix.test.ts). */
const simpleEmoji = (): RegExp =>
  /^(?:[\p{Emoji_Presentation}--\p{Regional_Indicator}]|[\p{Emoji}--\p{Emoji_Presentation}--[\d#*]]\ufe0f|[\d#*]\ufe0f\u20e3)$/v;
/** Tests against all sequences of one kind. Compiling takes 13 ms for those with joiners and 3 ms for skin tones, so each is compiled on first use. */
function isSequence(cluster: string): boolean {
  if (cluster.includes("\u200d")) return /^\p{RGI_Emoji_ZWJ_Sequence}$/v.test(cluster);
  if (cluster.endsWith("\u{e007f}")) return /^\p{RGI_Emoji_Tag_Sequence}$/v.test(cluster);
  return /^\p{RGI_Emoji_Modifier_Sequence}$/v.test(cluster);
}
/** Whether it is a fully qualified emoji, except flags. */
export const isEmoji = (cluster: string): boolean =>
  simpleEmoji().test(cluster) ||
  (cluster.length > 2 && /[\p{Emoji_Modifier}\u200d\u{e007f}]/u.test(cluster) && isSequence(cluster));
const pictographs = (): RegExp => /(\p{Extended_Pictographic})(\ufe0f|\p{Emoji_Modifier})?/gu;
const PREPENDED = /^[\u0600-\u0605\u06dd\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u;

const JAMO = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/;
const JAMO_RUN = /([\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]{3})[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]+/g;

/** A real emoji sequence in its fully qualified form, or undefined. */
function realEmoji(cluster: string): string | undefined {
  if (isEmoji(cluster)) return cluster;
  const full = cluster.replace(pictographs(), (all, base: string, extra?: string) =>
    extra || /^\p{Emoji_Presentation}$/u.test(base) ? all : `${base}\ufe0f`,
  );
  return isEmoji(full) ? full : undefined;
}

const MAX_CACHED_EMOJI = 2048;
const emojiCache = new Map<string, string>();

/** The emoji as it may be shown. Cached, because the test against all sequences is the most expensive step. */
function cachedEmoji(cluster: string): string {
  let shown = emojiCache.get(cluster);
  if (shown === undefined) {
    shown = sanitizeEmoji(cluster);
    if (cluster.length <= 40) {
      if (emojiCache.size >= MAX_CACHED_EMOJI) emojiCache.clear();
      emojiCache.set(cluster, shown);
    }
  }
  return shown;
}

function sanitizeEmoji(text: string): string {
  // Code points reserved for future emoji have an unknown width.
  const cluster = text.replace(/\p{Cn}/gu, UNKNOWN_MARK);
  if (cluster.length <= 2 && !cluster.endsWith("\ufe0f")) return cluster;
  if (!/[\u200d\u{e007f}]/u.test(cluster) && isEmoji(cluster)) return cluster;
  const joined = /[\u200d\u{e007f}]/u.test(cluster) ? realEmoji(cluster) : undefined;
  if (joined !== undefined) return joined;
  // Not an existing sequence: keep its parts side by side, without joiners.
  return cluster
    .replace(/[\u200d\u{e0020}-\u{e007f}]/gu, "")
    .replace(pictographs(), (all, base: string, extra?: string) => (!extra || isEmoji(all) ? all : base));
}

function replaceSpecial(match: string): string {
  const code = match.codePointAt(0)!;
  if (code < 0x20) return code === 9 ? "    " : String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  if (code < 0xa0) return match.endsWith("\u20e3") ? match : UNKNOWN_MARK;
  if (code === 0xa0 || code === 0x1680 || code === 0x202f || code === 0x205f) return " ";
  if (code >= 0x2000 && code <= 0x200a) return " ";
  if (code >= 0x1f3fb && code <= 0x1f3ff) return UNKNOWN_MARK;
  if (/^\p{Extended_Pictographic}/u.test(match)) return cachedEmoji(match);
  if (PREPENDED.test(match) || /^\p{Cn}$/u.test(match)) {
    // Unassigned, but ignorable by definition: it would take no cell.
    return /^\p{Default_Ignorable_Code_Point}$/u.test(match) ? "" : UNKNOWN_MARK;
  }
  return "";
}

function scrub(text: string): string {
  let out = text.toWellFormed();
  if (/[\x1b\x80-\x9f]/.test(out)) {
    let end = -1;
    out = out.replace(/\x85/g, "\n").replace(SEQUENCE, (match, at: number) => {
      const repeated = at === end;
      end = at + match.length;
      return repeated || COLOUR.test(match) ? "" : SEQUENCE_MARK;
    });
  }
  out = out.replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(
    // An emoji with everything that may belong to it, or one character that is not allowed unchanged.
    // oxlint-disable-next-line no-misleading-character-class -- single characters on purpose, each judged alone
    /[#*0-9]\ufe0f\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:[\u{e0020}-\u{e007e}]{1,32}\u{e007f})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*|\p{Emoji_Modifier}|[\u{34f}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{3164}\u{ffa0}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}\u{10eeee}]|[\xa0\u1680\u2000-\u200a\u202f\u205f]|[^\n\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\p{Co}]/gu,
    replaceSpecial,
  );
  if (JAMO.test(out)) out = out.normalize("NFC").replace(JAMO_RUN, "$1");
  // A mark at the start, or on a blank that may be cut off, would combine with the character before the text on the screen.
  return out
    .replace(/(^|[\n \u3000])(?=[\p{M}\uff9e\uff9f])/gu, "$1◌")
    .replace(new RegExp(`(\\p{M}{${MARKS_PER_BASE}})\\p{M}+`, "gu"), "$1");
}

function shorten(text: string, unseen: number, simple: boolean): string {
  if (text.length + unseen <= SHOWN_GRAPHEMES) return text;
  const limit = SHOWN_GRAPHEMES - TAIL_UNITS;
  let cut = limit;
  if (!simple) {
    const parts = graphemes(text, SHOWN_GRAPHEMES + 1);
    // A conjunct of a thousand letters is one grapheme to the segmenter and a thousand cells to a terminal.
    const size = (part: string): number => (part.length > 32 ? part.length : 1);
    const total = parts.reduce((sum, part) => sum + size(part), 0);
    if (total <= SHOWN_GRAPHEMES && unseen === 0) return text;
    cut = 0;
    let used = 0;
    for (const part of parts) {
      if (used + size(part) > limit) {
        if (size(part) > 1) cut += limit - used;
        break;
      }
      used += size(part);
      cut += part.length;
    }
    if (/[\ud800-\udbff]/.test(text.charAt(cut - 1))) cut--;
  }
  const more = text.length - cut + unseen;
  return more === 0 ? text : `${text.slice(0, cut)} … ${thousands(more)} more`;
}

/**
 * Text of one or several lines (LF) that is safe to print anywhere. Idempotent and linear; returns the same string if nothing
 * had to be done (plain ASCII and the common scripts).
 *
 * Control sequences are removed: colours without a trace, all others leave one `␛`. Other control characters become
 * their pictures, tabs four blanks, CR and the line separators LF. Bidi controls, zero-width characters (ZWNJ included: a
 * terminal has no joining to suppress), soft hyphens, fillers, tags and stray variation selectors go away; ZWJ, VS16 and
 * tags stay inside emoji sequences that exist. U+10EEEE is removed, too, because terminals draw parts of pictures with it. Lone surrogates and unassigned characters become `�`. At most
 * {@link MARKS_PER_BASE} marks a base; at most {@link SHOWN_GRAPHEMES} graphemes, then ` … n more`.
 */
export function clean(text: string): string {
  const simple = !NEEDS_SCRUBBING.test(text.length > RAW_LIMIT ? text.slice(0, RAW_LIMIT) : text);
  if (simple && text.length <= SHOWN_GRAPHEMES) return text;
  let head = text.length > RAW_LIMIT ? text.slice(0, RAW_LIMIT) : text;
  // Do not keep half of a surrogate pair at the limit.
  if (head.length < text.length && /[\ud800-\udbff]$/.test(head)) head = head.slice(0, -1);
  return shorten(simple ? head : scrub(head), text.length - head.length, simple);
}

/** {@link clean}, on one line: every run of blanks and line ends is one blank, none at the ends. */
export function cleanLine(text: string): string {
  const safe = clean(text);
  return /[\n\u3000]|^ | $| {2}/.test(safe) ? safe.replace(/[\n \u3000]+/g, " ").trim() : safe;
}

/** A name on one line of at most `cells` terminal cells, cut with `…`; "" when nothing visible is left. */
export function cleanName(text: string, cells = NAME_CELLS): string {
  const line = cleanLine(text.length > 4096 ? text.slice(0, 4096) : text);
  if (/^[\s\u2800◌]*$/.test(line)) return "";
  return truncate(line, cells);
}
