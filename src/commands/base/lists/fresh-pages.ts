/** Detects a provider whose pages repeat: a page that came before is an error, not an endless loop. */
import { CommandError } from "../define-command.ts";

const endless = (): CommandError =>
  new CommandError("unavailable", "the provider gives the same page again and again", "parley doctor");

/** Called with the cursor of each next page; throws when one comes again. */
export function freshCursors(): (cursor: string) => void {
  const seen = new Set<string>();
  return (cursor) => {
    if (seen.has(cursor)) throw endless();
    seen.add(cursor);
  };
}

/** A page can be like the one before while others write; three in a row are no accident. */
const SAME_IN_A_ROW = 3;

/** Called with each page of a list that is walked by offset; throws when nothing new comes any more. */
export function freshPages(): (page: readonly unknown[]) => void {
  let last = "";
  let same = 1;
  return (page) => {
    if (page.length === 0) return;
    const text = JSON.stringify(page);
    same = text === last ? same + 1 : 1;
    last = text;
    if (same >= SAME_IN_A_ROW) throw endless();
  };
}
