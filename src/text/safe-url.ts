/** Decides which addresses from the wire may be linked or opened: http and https, no user info (specification/security.md §2). */

const LONGEST = 2048;

/**
 * The parsed address, or undefined when it must stay text: not http(s), user name or password in it, blanks, control
 * characters or backslashes anywhere, no host, or longer than 2,048 characters. The host is in its ASCII form (punycode),
 * so that letters that only look alike are seen.
 */
export function safeUrl(text: string): URL | undefined {
  if (text.length > LONGEST || !/^https?:\/\/[^/\\?#]/i.test(text)) return undefined;
  if (/[\s\\<>"\p{C}\p{Z}]/u.test(text)) return undefined;
  const url = URL.parse(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  if (url.username !== "" || url.password !== "" || url.hostname === "") return undefined;
  // `http://@host` and `http://:@host` parse without user info, but show it.
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return undefined;
  // What is written to a terminal is this; it must be printable ASCII without blanks.
  return /^[\x21-\x7e]+$/.test(url.href) && url.href.length <= LONGEST * 4 ? url : undefined;
}

/** The host (with a port that is not the scheme's own) to show beside a link; "" for an address that is not safe. */
export function shownHost(text: string): string {
  return safeUrl(text)?.host ?? "";
}
