/** Parses untrusted JSON, and refuses what is nested too deep or has too many values. */

/** Nesting levels; a message in a channel in a list with custom data needs fewer than eighty. */
const MAX_DEPTH = 128;
/** Lists and objects in one text; the biggest page of a provider has a fifth of that. */
const MAX_CONTAINERS = 1_000_000;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125];

/** Whether parsing would cost far more than the length suggests. */
export function isExcessive(text: string): boolean {
  let depth = 0;
  let opened = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      i = endOfString(text, i + 1);
    } else if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH || ++opened > MAX_CONTAINERS) return true;
    } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) depth--;
  }
  return false;
}

function endOfString(text: string, from: number): number {
  for (let i = text.indexOf('"', from); i >= 0; i = text.indexOf('"', i + 1)) {
    let slashes = 0;
    while (text.charCodeAt(i - 1 - slashes) === BACKSLASH && i - 1 - slashes >= from) slashes++;
    if (slashes % 2 === 0) return i;
  }
  return text.length;
}

/** The parsed value, or undefined for invalid or excessive JSON. */
export function parseBounded(text: string): unknown {
  if (isExcessive(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
