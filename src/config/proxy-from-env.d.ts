/** Types for the library that reads NO_PROXY, which ships none. */
declare module "proxy-from-env" {
  /** The proxy for an address; empty when none is needed. */
  export function getProxyForUrl(url: string): string;
}
