/** Finds `@name` in a text: which names are meant, the longest that fits. */

/** A name nobody told us: letters, digits, and what may stand inside of it. */
const NAME = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,62}[\p{L}\p{N}_])?/u;
/** UTF-16 units behind an `@` that are looked at. */
const LONGEST_NAME = 130;

interface FoundName {
  /** UTF-16 index of the `@`. */
  at: number;
  name: string;
}

/**
 * Every `@name` from left to right. `names` = names that may hold blanks, longest first, without `@`; any other word
 * behind an `@` is a name of its own. Nothing begins inside a word, and no name ends inside of one: `@alice` is not `al`.
 */
export function* namesIn(text: string, names: readonly string[]): Generator<FoundName> {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    if (at > 0 && /[\p{L}\p{N}_@/.:]/u.test(text[at - 1]!)) continue;
    const rest = text.slice(at + 1, at + LONGEST_NAME);
    const name =
      names.find((one) => rest.startsWith(one) && endsAt(rest, one.length)) ?? NAME.exec(rest)?.[0] ?? "";
    if (name === "") continue;
    yield { at, name };
    at += name.length;
  }
}

/** Ids go on behind a hyphen; a full stop ends a sentence. */
const endsAt = (rest: string, length: number): boolean => !/^-?[\p{L}\p{M}\p{N}_]/u.test(rest.slice(length));
