/** Matches texts against a blocklist: whole words, patterns, domains or mail addresses, ignoring case (specification/admin.md §5). */
import { hasUnbroken, hasWholeWord } from "../../../text/searched-words.ts";
import { compilePattern, PatternError, type Pattern } from "../../../text/pattern.ts";

export type Matcher = (text: string) => boolean;

/** Punctuation around a word; the look-behind makes a run of it match only from its start. */
const PUNCTUATION = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;
const withoutPunctuation = (word: string): string => word.replace(PUNCTUATION, "");

/** Wide letters and other forms of a letter are that letter; accents stay, because they make other words. */
const plain = (text: string): string => text.normalize("NFKC").toLowerCase();

/** The words of a plain text, split at white space and hyphens: once as they are, and once without punctuation around them. */
function wordsOf(text: string): string[][] {
  const words = text.split(/[\s-]+/);
  const bareWords = words.map(withoutPunctuation);
  return [words, bareWords].map((list) => list.filter((word) => word !== ""));
}

/** Matches single words, phrases whose words follow each other, and words of scripts without blanks wherever they stand. */
function wordMatcher(list: string[]): Matcher {
  const single = new Set<string>();
  const phrases: string[] = [];
  const unbroken = list.map(plain).filter(hasUnbroken);
  for (const entry of list) {
    const words = plain(entry)
      .split(/[\s-]+/)
      .filter((word) => word !== "");
    if (words.length === 1) single.add(words[0]!);
    else if (words.length > 1) phrases.push(` ${words.join(" ")} `);
  }
  return (text) => {
    const plainText = plain(text);
    if (unbroken.some((word) => hasWholeWord(plainText, word))) return true;
    return wordsOf(plainText).some((words) => {
      if (words.some((word) => single.has(word))) return true;
      if (phrases.length === 0) return false;
      const line = ` ${words.join(" ")} `;
      return phrases.some((phrase) => line.includes(phrase));
    });
  };
}

/** Matches patterns; an invalid pattern matches nothing. */
function patternMatcher(list: string[]): Matcher {
  const patterns = list.flatMap((source): Pattern[] => {
    try {
      return [compilePattern(source)];
    } catch (error) {
      if (error instanceof PatternError) return [];
      throw error;
    }
  });
  return (text) => {
    const lowerText = text.toLowerCase();
    return patterns.some((pattern) => pattern.test(lowerText));
  };
}

const HOST = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,62})\.){1,20}[\p{L}]{2,63}$/u;
const MAIL = /^[^\s@]{1,64}@([^\s@]{1,255})$/;

/** Parts of a text that could be an address: split at white space, quotes and brackets. */
const pieces = (text: string): string[] => text.toLowerCase().split(/[\s<>()[\]{}"'`,;|]+/);

function domainsIn(text: string): string[] {
  return pieces(text).flatMap((piece) => {
    if (MAIL.test(piece)) return [];
    const withoutScheme = piece.replace(/^[a-z][a-z0-9+.-]{0,20}:\/\//, "");
    const host = withoutPunctuation(
      withoutScheme
        .split(/[/?#:]/, 1)[0]!
        .split("@")
        .at(-1)!,
    );
    return HOST.test(host) ? [host] : [];
  });
}

const mailsIn = (text: string): string[] =>
  pieces(text)
    .map((piece) => withoutPunctuation(piece.replace(/^mailto:/, "")))
    .filter((piece) => MAIL.test(piece));

/** Matches a listed domain and its subdomains. */
function domainMatcher(list: ReadonlySet<string>): (host: string) => boolean {
  return (host) => {
    for (let start = 0; start >= 0; start = host.indexOf(".", start) + 1 || -1)
      if (list.has(host.slice(start))) return true;
    return false;
  };
}

/** Matches a listed address, or an address of a listed domain. */
function mailMatcher(list: ReadonlySet<string>): (mail: string) => boolean {
  const domain = domainMatcher(list);
  return (mail) => list.has(mail) || domain(mail.slice(mail.indexOf("@") + 1));
}

/** The matcher of a blocklist; an allowlist matches any domain or address that is not on it. */
export function matcherOf(type: string, words: readonly string[]): Matcher {
  const lowerText = words.map((word) => word.trim().toLowerCase()).filter((word) => word !== "");
  const listed = new Set(lowerText.map((word) => word.replace(/^@/, "")));
  const domain = domainMatcher(listed);
  const mail = mailMatcher(listed);
  switch (type) {
    case "regex":
      return patternMatcher(words.filter((word) => word !== ""));
    case "domain":
      return (text) => domainsIn(text).some(domain);
    case "domain_allowlist":
      return (text) => domainsIn(text).some((host) => !domain(host));
    case "email":
      return (text) => mailsIn(text).some(mail);
    case "email_allowlist":
      return (text) => mailsIn(text).some((address) => !mail(address));
    default:
      return wordMatcher(lowerText);
  }
}
