/** Fetches a web page for its preview: public addresses only, and little of everything: time, bytes, redirects (OG-2, OG-3). */
import { lookup as resolve } from "node:dns";
import type { LookupAddress } from "node:dns";
import http from "node:http";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { PAGE_BYTES, PAGE_HOPS, PAGE_TIME } from "../../wire/constants.ts";
import { isOneOf, isPublic, ownAddresses } from "./address.ts";

/** Bytes of a page and how they are to be read; `url` is where the redirects ended. */
export interface Page {
  url: string;
  bytes: Buffer;
  charset: string | undefined;
}

export interface FetchOptions {
  /** `host` or `host:port` whose addresses are not checked (a test's own server, a house's intranet). */
  allow?: readonly string[];
  /** Asked in the place of the system's resolver. */
  lookup?: (host: string) => Promise<LookupAddress[]>;
  /** Addresses of this machine; default: those its interfaces have now. */
  own?: () => string[];
  /** Milliseconds for all hops together; default PAGE_TIME. */
  time?: number;
}

const AGENT = "parley-link-preview (+https://ogp.me)";

/** http or https with a host, as it was meant: without credentials and fragment. Undefined for anything else. */
export function pageUrl(text: string): URL | undefined {
  if (text.length > 2048 || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if ((url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") return undefined;
  url.username = "";
  url.password = "";
  url.hash = "";
  return url;
}

const systemLookup = (host: string): Promise<LookupAddress[]> =>
  new Promise((done, fail) =>
    resolve(host, { all: true, verbatim: true }, (error, found) => (error ? fail(error) : done(found))),
  );

/**
 * The addresses of a host, all of them public. The connection goes to these and is not resolved again, so a name that
 * answers differently the second time gains nothing.
 */
async function checked(url: URL, options: FetchOptions): Promise<LookupAddress[]> {
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

async function open(url: URL, options: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const addresses = await Promise.race([checked(url, options), aborted(signal)]);
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
        headers: {
          Host: url.host,
          Accept: "text/html",
          "Accept-Encoding": "identity",
          "User-Agent": AGENT,
        },
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

/** The first PAGE_BYTES; what a page says of itself stands in its head. */
async function read(answer: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size >= PAGE_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, PAGE_BYTES);
}

/** Rejects with a sentence when there is no page to be had: refused address, no HTML, an error answer, too slow, too many hops. */
export async function fetchPage(start: URL, options: FetchOptions = {}): Promise<Page> {
  const signal = AbortSignal.timeout(options.time ?? PAGE_TIME);
  let url = start;
  for (let hop = 0; ; hop++) {
    const answer = await open(url, options, signal);
    try {
      const status = answer.statusCode ?? 0;
      if ([301, 302, 303, 307, 308].includes(status)) {
        if (hop >= PAGE_HOPS) throw new Error("too many redirects");
        const next = URL.canParse(answer.headers.location ?? "", url.href)
          ? pageUrl(new URL(answer.headers.location!, url.href).href)
          : undefined;
        if (!next) throw new Error("the redirect leads nowhere");
        url = next;
        continue;
      }
      if (status < 200 || status > 299) throw new Error(`the page answered ${status}`);
      const [type = "", ...parameters] = (answer.headers["content-type"] ?? "").split(";");
      if (type.trim().toLowerCase() !== "text/html") throw new Error("the page is not HTML");
      const encoding = answer.headers["content-encoding"] ?? "identity";
      if (encoding.trim().toLowerCase() !== "identity") throw new Error("the page is compressed unasked");
      const charset = parameters
        .map((one) => /^\s*charset\s*=\s*"?([\w.:-]+)"?\s*$/i.exec(one)?.[1])
        .find((one) => one !== undefined);
      return { url: url.href, bytes: await read(answer), charset };
    } finally {
      answer.destroy();
    }
  }
}
