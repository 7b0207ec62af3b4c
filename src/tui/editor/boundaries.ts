/** Finds grapheme, word and line boundaries in a text. */

import { segments } from "../../text/graphemes.ts";

const isAscii = (text: string, index: number): boolean => text.charCodeAt(index) < 0x80;

/** Between two ASCII characters there is always a boundary (line ends are single characters here), so segmenting can start there. */
const isSimpleBoundary = (text: string, index: number): boolean =>
  index <= 0 || index >= text.length || (isAscii(text, index - 1) && isAscii(text, index));

function windowAround(text: string, index: number): { start: number; end: number } {
  let start = Math.max(0, index - 1);
  while (!isSimpleBoundary(text, start)) start--;
  let end = Math.min(text.length, index + 1);
  while (!isSimpleBoundary(text, end)) end++;
  return { start, end };
}

/** The first boundary after `index`; the end of the text at most. */
export function nextBoundary(text: string, index: number): number {
  if (index >= text.length) return text.length;
  if (isSimpleBoundary(text, index + 1) && isAscii(text, index)) return index + 1;
  const { start, end } = windowAround(text, index);
  const found = segments(text.slice(start, end)).containing(index - start);
  return found ? start + found.index + found.segment.length : text.length;
}

/** The last boundary before `index`; 0 at least. */
export function previousBoundary(text: string, index: number): number {
  if (index <= 0) return 0;
  if (isSimpleBoundary(text, index - 1) && isAscii(text, index - 1)) return index - 1;
  const { start, end } = windowAround(text, index - 1);
  const found = segments(text.slice(start, end)).containing(index - 1 - start);
  return found ? start + found.index : 0;
}

/** `index` itself if it is a boundary, else the boundary before it. */
export function toBoundary(text: string, index: number): number {
  const at = Math.max(0, Math.min(text.length, Math.trunc(index) || 0));
  if (isSimpleBoundary(text, at)) return at;
  const { start, end } = windowAround(text, at);
  return start + (segments(text.slice(start, end)).containing(at - start)?.index ?? 0);
}

export function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of segments(text)) yield segment;
}

/** Matches a word character. */
export const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** Whether the character before (−1) or after (+1) `index` is a word character. */
function isWord(text: string, index: number, side: -1 | 1): boolean {
  const at = side < 0 ? previousBoundary(text, index) : index;
  const code = text.codePointAt(at);
  return code !== undefined && WORD.test(String.fromCodePoint(code));
}

/** Start of the word before `index` (readline: Alt-B). */
export function wordLeft(text: string, index: number): number {
  let at = index;
  while (at > 0 && !isWord(text, at, -1)) at = previousBoundary(text, at);
  while (at > 0 && isWord(text, at, -1)) at = previousBoundary(text, at);
  return at;
}

/** End of the word after `index` (readline: Alt-F). */
export function wordRight(text: string, index: number): number {
  let at = index;
  while (at < text.length && !isWord(text, at, 1)) at = nextBoundary(text, at);
  while (at < text.length && isWord(text, at, 1)) at = nextBoundary(text, at);
  return at;
}

/** Start of the next word (vim: w). */
export function nextWordStart(text: string, index: number): number {
  let at = index;
  while (at < text.length && isWord(text, at, 1)) at = nextBoundary(text, at);
  while (at < text.length && !isWord(text, at, 1)) at = nextBoundary(text, at);
  return at;
}

/** Start of the run of non-blanks before `index` (readline: Ctrl-W). */
export function blankLeft(text: string, index: number): number {
  let at = index;
  while (at > 0 && /\s/.test(text[at - 1]!)) at--;
  while (at > 0 && !/\s/.test(text[at - 1]!)) at--;
  return toBoundary(text, at);
}

export const lineStart = (text: string, index: number): number =>
  index <= 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;

export function lineEnd(text: string, index: number): number {
  const end = text.indexOf("\n", index);
  return end < 0 ? text.length : end;
}

/** The first non-blank of the line that contains `index`. */
export function firstNonBlank(text: string, index: number): number {
  const start = lineStart(text, index);
  return start + /^[^\S\n]*/.exec(text.slice(start, lineEnd(text, start)))![0].length;
}
