/** The text of a found message on one row, around its first match, with matches highlighted. */
import { segments } from "../../../text/graphemes.ts";
import { findWords } from "../../../text/searched-words.ts";
import { cellWidth, truncate } from "../../../text/width.ts";
import type { Zone } from "../../../text/zones.ts";
import type { RowLook } from "../../components/list-pane.tsx";
import type { Theme } from "../../render/theme.ts";

export interface SearchLook extends Zone, Pick<RowLook, "theme" | "width" | "glyphs" | "now"> {
  height: number;
}

/** Where an excerpt begins that shows the match ending at `end`: at a word some way before it, else, without blanks near, at a letter. */
function excerptStart(text: string, { start, end }: { start: number; end: number }, width: number): number {
  const fits = (from: number): boolean => cellWidth(text.slice(from, end)) < width;
  if (fits(0)) return 0;
  const word = text.lastIndexOf(" ", Math.max(0, start - Math.floor(width / 3))) + 1;
  if (fits(word)) return word;
  return segments(text).containing(Math.max(0, start - Math.floor(width / 6)))!.index;
}

/** The text around the first match, with all matches highlighted. */
export function matchExcerpt(
  theme: Theme,
  text: string,
  queryWords: readonly string[],
  width: number,
): string {
  const [first] = findWords(text, queryWords);
  const from = first ? excerptStart(text, first, width) : 0;
  return withMatches(theme, truncate(`${from > 0 ? "…" : ""}${text.slice(from)}`, width), queryWords);
}

/** The text with all matches highlighted. */
export function withMatches(theme: Theme, shown: string, queryWords: readonly string[]): string {
  let marked = "";
  let at = 0;
  for (const { start, end } of findWords(shown, queryWords)) {
    marked += shown.slice(at, start) + theme.bold(theme.accent(shown.slice(start, end)));
    at = end;
  }
  return marked + shown.slice(at);
}
