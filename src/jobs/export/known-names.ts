/** Replaces ids and full names of people in a text: as whole words, in any case. */

/** A run of letters, digits and their marks. */
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
/** Scripts that write no blanks between words, or particles directly behind a name. */
const WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

interface Term {
  words: readonly string[];
  /** What stands before, between and behind the words. */
  gaps: readonly string[];
  pseudonym: string;
}

interface Word {
  text: string;
  from: number;
  to: number;
}

export interface KnownPerson {
  id: string;
  name?: string | null | undefined;
}

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();
const foldedGap = (text: string): string => folded(text).replace(/\s+/gu, " ");

const wordsIn = (text: string): Word[] =>
  Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    text: folded(word),
    from: index,
    to: index + word.length,
  }));

export class KnownNames {
  /** First word → terms that begin with it, the longest first. */
  readonly #byWord = new Map<string, Term[]>();
  /** Names without any word, or in a script without blanks: found as they are. */
  readonly #literal = new Map<string, string>();

  /** Among people of one name the first one counts. */
  constructor(people: Iterable<KnownPerson>, pseudonymOf: (id: string) => string) {
    for (const { id, name } of people)
      for (const text of [id, name ?? ""]) if (text.trim() !== "") this.#add(text.trim(), pseudonymOf(id));
    for (const terms of this.#byWord.values()) terms.sort((a, b) => b.words.length - a.words.length);
  }

  #add(text: string, pseudonym: string): void {
    const words = wordsIn(text);
    if (words.length === 0 || WITHOUT_BLANKS.test(text)) {
      if (!this.#literal.has(text)) this.#literal.set(text, pseudonym);
      if (words.length === 0) return;
    }
    const ends = [0, ...words.map(({ to }) => to)];
    const gaps = ends.map((end, n) => foldedGap(text.slice(end, words[n]?.from)));
    const key = words[0]!.text;
    this.#byWord.set(key, [
      ...(this.#byWord.get(key) ?? []),
      { words: words.map((one) => one.text), gaps, pseudonym },
    ]);
  }

  replace(text: string): string {
    let replaced = "";
    let done = 0;
    const words = wordsIn(text);
    for (let n = 0; n < words.length; n++) {
      const found = this.#byWord.get(words[n]!.text)?.find((term) => matches(term, text, words, n));
      if (!found) continue;
      const last = n + found.words.length - 1;
      replaced += text.slice(done, words[n]!.from) + found.pseudonym;
      done = words[last]!.to;
      n = last;
    }
    replaced += text.slice(done);
    for (const [name, pseudonym] of this.#literal) replaced = replaced.replaceAll(name, pseudonym);
    return replaced;
  }
}

/** Whether the term stands at the n-th word, with everything that its name has between and around its words. */
function matches({ words, gaps }: Term, text: string, found: readonly Word[], n: number): boolean {
  if (!words.every((word, i) => found[n + i]?.text === word)) return false;
  const last = n + words.length - 1;
  const between = words
    .slice(1)
    .every((_, i) => foldedGap(text.slice(found[n + i]!.to, found[n + i + 1]!.from)) === gaps[i + 1]);
  const before = foldedGap(text.slice(found[n - 1]?.to ?? 0, found[n]!.from));
  const behind = foldedGap(text.slice(found[last]!.to, found[last + 1]?.from));
  return between && before.endsWith(gaps[0]!) && behind.startsWith(gaps.at(-1)!);
}
