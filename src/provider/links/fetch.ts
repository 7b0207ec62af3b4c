/** Fetches a web page for its preview: public addresses only, with limits on time, bytes and redirects (OG-2, OG-3). */
import type { IncomingMessage } from "node:http";
import { publicGet, type PublicOptions } from "../../model/public-get.ts";
import { PAGE_BYTES, PAGE_HOPS, PAGE_TIME } from "../../wire/constants.ts";

/** The bytes of a page and their charset; `url` is the address after all redirects. */
export interface FetchedPage {
  url: string;
  bytes: Buffer;
  charset: string | undefined;
}

export interface FetchOptions extends PublicOptions {
  /** Milliseconds for all hops together; default PAGE_TIME. */
  time?: number;
}

const HEADERS = { Accept: "text/html", "User-Agent": "parley-link-preview (+https://ogp.me)" };

/** An http or https address with a host, without credentials and fragment; undefined for anything else. */
export function pageUrl(text: string): URL | undefined {
  if (text.length > 2048 || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if ((url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") return undefined;
  url.username = "";
  url.password = "";
  url.hash = "";
  return url;
}

/** The first PAGE_BYTES, which include the head of the page. */
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

/** Rejects with a sentence when the page cannot be fetched: refused address, no HTML, an error status, too slow, too many redirects. */
export async function fetchPage(start: URL, options: FetchOptions = {}): Promise<FetchedPage> {
  const signal = AbortSignal.timeout(options.time ?? PAGE_TIME);
  let url = start;
  for (let hop = 0; ; hop++) {
    const answer = await publicGet(url, HEADERS, options, signal);
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
        .map((parameter) => /^\s*charset\s*=\s*"?([\w.:-]+)"?\s*$/i.exec(parameter)?.[1])
        .find((name) => name !== undefined);
      return { url: url.href, bytes: await read(answer), charset };
    } finally {
      answer.destroy();
    }
  }
}
