/** A GET request to public addresses only, safe against DNS rebinding (OG-3). */
import { lookup as resolve, type LookupAddress } from "node:dns";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isOneOf, isPublic, ownAddresses } from "./public-address.ts";

export interface PublicOptions {
  /** `host` or `host:port` whose addresses are not checked (a test server, an intranet). */
  allow?: readonly string[];
  lookup?: (host: string) => Promise<LookupAddress[]>;
  /** Addresses of this machine; default: those of its interfaces. */
  own?: () => string[];
}

const systemLookup = (host: string): Promise<LookupAddress[]> =>
  new Promise((done, fail) =>
    resolve(host, { all: true, verbatim: true }, (error, found) => (error ? fail(error) : done(found))),
  );

/**
 * Resolves a host and throws unless all its addresses are public. The connection uses these addresses without resolving
 * the name again.
 */
async function publicAddresses(url: URL, options: PublicOptions): Promise<LookupAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const kind = isIP(host);
  const found: LookupAddress[] = kind
    ? [{ address: host, family: kind }]
    : await (options.lookup ?? systemLookup)(host);
  const free = options.allow?.some((one) => one === url.hostname || one === url.host) ?? false;
  if (found.length === 0) throw new Error(`${host} has no address`);
  if (free) return found;
  if (!found.every(({ address }) => isPublic(address))) throw new Error(`${host} is not a public address`);
  const own = (options.own ?? ownAddresses)();
  if (found.some(({ address }) => isOneOf(address, own))) throw new Error(`${host} is this machine itself`);
  return found;
}

/** Sends the request without following redirects. Rejects for an address that is not public. */
export async function publicGet(
  url: URL,
  headers: Readonly<Record<string, string>>,
  options: PublicOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const addresses = await Promise.race([publicAddresses(url, options), aborted(signal)]);
  const lookup: LookupFunction = (_host, asked, done) => {
    if (asked.all) done(null, addresses);
    else done(null, addresses[0]!.address, addresses[0]!.family);
  };
  return new Promise((found, fail) => {
    const request = (url.protocol === "https:" ? https : http).request(
      {
        host: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port || undefined,
        path: `${url.pathname}${url.search}`,
        headers: { Host: url.host, "Accept-Encoding": "identity", ...headers },
        lookup,
        signal,
        agent: false,
        maxHeaderSize: 16 * 1024,
      },
      found,
    );
    request.on("error", fail);
    request.end();
  });
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason), { once: true }));
