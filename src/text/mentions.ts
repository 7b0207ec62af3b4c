/** Finds `@name` in a text; the longest matching name wins. */

/** An unknown name: letters, digits, and `_.-` inside. */
const NAME = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,62}[\p{L}\p{N}_])?/u;
/** UTF-16 units examined after an `@`. */
const MAX_NAME_LENGTH = 130;

interface FoundName {
  /** UTF-16 index of the `@`. */
  at: number;
  name: string;
}

/**
 * Every `@name` from left to right. `names` = names that may contain blanks, longest first, without `@`; any other word
 * after an `@` counts as a name, too. A mention neither begins nor ends inside a word: `@alice` is not `al`.
 */
export function* namesIn(text: string, names: readonly string[]): Generator<FoundName> {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    if (at > 0 && /[\p{L}\p{N}_@/.:]/u.test(text[at - 1]!)) continue;
    const rest = text.slice(at + 1, at + MAX_NAME_LENGTH);
    const name =
      names.find((candidate) => rest.startsWith(candidate) && endsAt(rest, candidate.length)) ??
      NAME.exec(rest)?.[0] ??
      "";
    if (name === "") continue;
    yield { at, name };
    at += name.length;
  }
}

/** Whether a name ends here: a hyphen continues an id, a full stop does not. */
const endsAt = (rest: string, length: number): boolean => !/^-?[\p{L}\p{M}\p{N}_]/u.test(rest.slice(length));
