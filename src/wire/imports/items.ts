/** Splits a stream of bytes into import items: JSON lines, or the older JSON array (specification/admin.md §10). */

export type ItemForm = "lines" | "array";

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = [0x7b, 0x5b];
const CLOSE = [0x7d, 0x5d];
const COMMA = 0x2c;
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d]);

export interface Cut {
  /** JSON texts of whole items, in order. */
  items: string[];
  /** Bytes consumed: the next piece begins there. */
  used: number;
}

/** Skips a byte order mark. */
const start = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;

/** Detects the form of a file by its first bytes; undefined while there are only blanks. */
export function itemForm(bytes: Uint8Array): ItemForm | undefined {
  for (let at = start(bytes); at < bytes.length; at++)
    if (!BLANK.has(bytes[at]!)) return bytes[at] === OPEN[1] ? "array" : "lines";
  return undefined;
}

/**
 * Splits off the complete items of `bytes`, which begin between two items. `last`: nothing follows, so the remainder is an item, too,
 * however broken. `used` is 0 when the first item is longer than the bytes.
 */
export function cutItems(bytes: Uint8Array, form: ItemForm, last: boolean): Cut {
  return form === "lines" ? cutLines(bytes, last) : cutArray(bytes, last);
}

const decoder = new TextDecoder("utf-8");

function cutLines(bytes: Uint8Array, last: boolean): Cut {
  const items: string[] = [];
  let used = 0;
  let from = start(bytes);
  for (;;) {
    let end = bytes.indexOf(NEWLINE, from);
    if (end < 0 && !last) break;
    if (end < 0) end = bytes.length;
    const text = decoder.decode(bytes.subarray(from, end)).trim();
    if (text !== "") items.push(text);
    from = used = Math.min(end + 1, bytes.length);
    if (end >= bytes.length) break;
  }
  return { items, used };
}

function cutArray(bytes: Uint8Array, last: boolean): Cut {
  const items: string[] = [];
  let used = 0;
  let at = start(bytes);
  while (at < bytes.length) {
    const byte = bytes[at]!;
    // Between two items are the brackets and commas of the array.
    if (BLANK.has(byte) || byte === COMMA || byte === OPEN[1] || byte === CLOSE[1]) {
      used = ++at;
      continue;
    }
    const end = endOfValue(bytes, at);
    if (end === undefined && !last) break;
    items.push(decoder.decode(bytes.subarray(at, end ?? bytes.length)).trim());
    used = at = end ?? bytes.length;
  }
  return { items, used };
}

/** The index after the value that begins at `at`; undefined if it is incomplete. */
function endOfValue(bytes: Uint8Array, at: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let i = at; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (quoted) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
    else if (OPEN.includes(byte)) depth++;
    else if (CLOSE.includes(byte)) {
      if (depth === 0) return i;
      if (--depth === 0) return i + 1;
    } else if (depth === 0 && byte === COMMA) return i;
  }
  return undefined;
}
