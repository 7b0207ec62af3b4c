/** Checks whether an address may be linked or opened: http and https, without user info (specification/security.md §2). */

const MAX_LENGTH = 2048;

/**
 * The parsed address, or undefined if it must stay text: not http(s), with a user name or password, blanks, control
 * characters or backslashes anywhere, no host, or longer than 2,048 characters. The host is in its ASCII form (punycode),
 * so that look-alike letters are visible.
 */
export function safeUrl(text: string): URL | undefined {
  if (text.length > MAX_LENGTH || !/^https?:\/\/[^/\\?#]/i.test(text)) return undefined;
  if (/[\s\\<>"\p{C}\p{Z}]/u.test(text)) return undefined;
  const url = URL.parse(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  if (url.username !== "" || url.password !== "" || url.hostname === "") return undefined;
  // `http://@host` and `http://:@host` parse without user info, but show it.
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return undefined;
  // The result is written to a terminal, so it must be printable ASCII without blanks.
  return /^[\x21-\x7e]+$/.test(url.href) && url.href.length <= MAX_LENGTH * 4 ? url : undefined;
}

/** The host (with a port that is not the scheme's own) to show beside a link; "" for an address that is not safe. */
export function shownHost(text: string): string {
  return safeUrl(text)?.host ?? "";
}

const nameLabel = (): RegExp => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u;

/** Whether the host of an address is a name with a dot: labels of letters, digits and inner hyphens, the last one of at least two letters (R-LINK-2). */
export function hasNamedHost(url: string): boolean {
  const host = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]*)/i.exec(url)?.[1] ?? "";
  const labels = host.split(".");
  return (
    labels.length > 1 &&
    labels.every((label) => nameLabel().test(label)) &&
    /^\p{L}{2,}$/u.test(labels.at(-1)!)
  );
}
