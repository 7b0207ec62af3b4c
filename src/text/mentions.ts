/** Finds `@name` in a text, ignoring case and the form of accents; the longest matching name wins (R-MENT-2). */
import { foldWithPositions } from "./fold.ts";

/** An unknown name: letters, digits, and `_.-` inside. */
const unknownName = (): RegExp => /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.-]{0,62}[\p{L}\p{M}\p{N}_])?/u;
/** UTF-16 units examined after an `@`. */
const MAX_NAME_LENGTH = 130;
/** What may not stand before an `@`: it would be a part of a word, a path or an address. */
const insideWord = (): RegExp => /^[\p{L}\p{N}_@/.:]/u;
/** Letters of scripts that are written without blanks; a word may begin or end between them and other letters. */
const unspaced = (): RegExp =>
  /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** What a text may call somebody, by key ({@link mentionKey}). */
export interface NameTable {
  /** Names that end where their word ends. */
  whole: ReadonlySet<string>;
  /** Names that other letters may follow: `@Sam님`. */
  attached: ReadonlySet<string>;
  /** Length of the longest key, UTF-16 units. */
  longest: number;
}

interface FoundName {
  /** UTF-16 index of the `@`. */
  at: number;
  /** As written, without the `@`. */
  name: string;
}

/** Equal for names that are the same word in another case or with its accents in another form. */
export const mentionKey = (name: string): string => foldWithPositions(name).text;

export function nameTable(names: Iterable<string>, attachedNames: Iterable<string> = []): NameTable {
  const keysOf = (list: Iterable<string>): Set<string> => new Set([...list].map(mentionKey).filter(Boolean));
  const whole = keysOf(names);
  const attached = keysOf(attachedNames);
  const longest = [...whole, ...attached].reduce((length, key) => Math.max(length, key.length), 0);
  return { whole, attached, longest };
}

/**
 * Every `@name` from left to right; a name may contain blanks if it is one of `names`, and any other word after an `@`
 * counts as a name, too. A mention neither begins nor ends inside a word: `@alice` is not `al`, and `@a/b` is a path.
 */
export function* namesIn(text: string, names: NameTable): Generator<FoundName> {
  let end = -1;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    // A slash right after a mention: `@ana/@bo`.
    if (!mayBegin(text, at) && !(text[at - 1] === "/" && at - 1 === end)) continue;
    const rest = text.slice(at + 1, at + 1 + MAX_NAME_LENGTH);
    const name = longestName(rest, names) || (unknownName().exec(rest)?.[0] ?? "");
    if (name === "" || /^\/[\p{L}\p{N}_]/u.test(rest.slice(name.length))) continue;
    yield { at, name };
    at += name.length;
    end = at + 1;
  }
}

/** The last character, also of those that are two UTF-16 units; empty for an empty text. */
const lastLetter = (text: string): string => [...text].at(-1) ?? "";

/** Whether an `@` here begins a mention; inside a word, a path or an address it does not. */
export function mayBegin(text: string, at: number): boolean {
  const before = lastLetter(text.slice(Math.max(0, at - 2), at));
  return !insideWord().test(before) || unspaced().test(before);
}

function longestName(rest: string, { whole, attached, longest }: NameTable): string {
  if (longest === 0) return "";
  const { text: key, starts } = foldWithPositions(rest);
  let found = 0;
  let foundAttached = 0;
  for (let length = 1; length <= Math.min(key.length, longest); length++) {
    const end = starts[length]!;
    // In the middle of a letter, such as a syllable of Korean.
    if (end === starts[length - 1]) continue;
    const start = key.slice(0, length);
    if (whole.has(start) && endsAt(rest, end)) found = end;
    if (attached.has(start)) foundAttached = end;
  }
  return rest.slice(0, found || foundAttached);
}

/** Whether a name ends here: a hyphen continues an id, a full stop does not, and a particle of another script may follow. */
function endsAt(rest: string, length: number): boolean {
  const after = rest.slice(length);
  if (!/^-?[\p{L}\p{M}\p{N}_]/u.test(after)) return true;
  return unspaced().test(after) && !isSameScript(rest.slice(0, length), after);
}

const SCRIPTS = ["Han", "Hira", "Kana", "Hang", "Thai", "Laoo", "Khmr", "Mymr"].map(
  (script) => new RegExp(`^\\p{sc=${script}}`, "u"),
);

function isSameScript(name: string, after: string): boolean {
  const last = lastLetter(name);
  return SCRIPTS.some((script) => script.test(last) && script.test(after));
}
