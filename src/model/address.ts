/** Compares addresses of providers. */

/** The same text for all spellings of an address: lower case, no default port, no slash at its end, one name for this machine. */
export function addressOf(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  const host = /^(127\.0\.0\.1|\[::1\])$/.test(hostname) ? "localhost" : hostname.replace(/\.$/, "");
  return `${protocol}//${host}${port && `:${port}`}${pathname.replace(/(?<!\/)\/+$/, "")}`;
}

/** An address as people write it, without its usual protocol. */
export const addressLabel = (address: string): string => address.replace(/^https:\/\//, "");
