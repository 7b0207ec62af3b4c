/** Detects repeated pages, which would otherwise cause an endless loop. */
import { CommandError } from "../define-command.ts";

const repeatedPage = (): CommandError =>
  new CommandError("unavailable", "the provider gives the same page again and again", "parley doctor");

/** Call it with each next cursor; throws when one repeats. */
export function freshCursors(): (cursor: string) => void {
  const seen = new Set<string>();
  return (cursor) => {
    if (seen.has(cursor)) throw repeatedPage();
    seen.add(cursor);
  };
}

/** A page may repeat once while others write; three equal pages in a row are an error. */
const MAX_REPEATS = 3;

/** Call it with each page of a list by offset; throws when pages repeat. */
export function freshPages(): (page: readonly unknown[]) => void {
  let last = "";
  let same = 1;
  return (page) => {
    if (page.length === 0) return;
    const text = JSON.stringify(page);
    same = text === last ? same + 1 : 1;
    last = text;
    if (same >= MAX_REPEATS) throw repeatedPage();
  };
}
