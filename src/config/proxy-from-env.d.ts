/** Types of the library that reads NO_PROXY; it has none of its own. */
declare module "proxy-from-env" {
  /** The proxy for an address, an empty text when it is reached straight. */
  export function getProxyForUrl(url: string): string;
}
