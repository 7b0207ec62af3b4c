/** Protects the loopback provider from web pages: exact host names, no foreign origin (specification/security.md §2). */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { ApiProblem } from "../base/handler.ts";

export interface Gate {
  /** Throws an `ApiProblem` (403, code 17) for a host that is not ours or an origin that was not allowed; code 4 for two hosts. */
  check(request: Pick<IncomingMessage, "headers" | "headersDistinct">): void;
  /** The same for what is answered without a token: there a page that hides its origin, as an image does, is refused, too. */
  checkOpen(headers: IncomingHttpHeaders): void;
  /** CORS headers of an answer; empty unless the request's origin was allowed. */
  cors(headers: IncomingHttpHeaders): OutgoingHttpHeaders;
}

const EXPOSED =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, x-client-request-id";

/**
 * The exact `Host` stops DNS rebinding (a foreign name that resolves to 127.0.0.1 shows here); any `Origin` header
 * means a browser speaks, and no page may unless it was named. `null` is never allowed.
 */
export function createGate(port: number, allowOrigins: readonly string[]): Gate {
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
  if (port === 80) for (const bare of ["127.0.0.1", "localhost", "[::1]"]) hosts.add(bare);
  const origins = new Set(allowOrigins.map((origin) => origin.replace(/(?<!\/)\/+$/, "").toLowerCase()));
  origins.delete("null");
  origins.delete("*");
  const allowed = (origin: string | undefined): origin is string =>
    origin !== undefined && origins.has(origin.toLowerCase());
  const refuse = (): never => {
    throw ApiProblem.notAllowed("this origin is not allowed; start the provider with --allow-origin");
  };
  return {
    checkOpen({ origin, referer, "sec-fetch-site": site }) {
      if (origin !== undefined || (site !== "cross-site" && site !== "same-site")) return;
      if (!allowed(URL.parse(referer ?? "")?.origin)) refuse();
    },
    check({ headers, headersDistinct: { host } }) {
      // Whoever reads the other one of two would have let it in.
      if (host && host.length > 1) throw ApiProblem.input("Host must be given once");
      if (!headers.host || !hosts.has(headers.host.toLowerCase()))
        throw ApiProblem.notAllowed("this host name is not served here");
      if (headers.origin !== undefined && !allowed(headers.origin)) refuse();
    },
    cors(headers) {
      if (!allowed(headers.origin)) return {};
      const asked = headers["access-control-request-headers"];
      return {
        "Access-Control-Allow-Origin": headers.origin,
        "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
        ...(asked && /^[\w\-, ]{1,1024}$/.test(asked) ? { "Access-Control-Allow-Headers": asked } : {}),
        "Access-Control-Expose-Headers": EXPOSED,
        "Access-Control-Max-Age": "600",
        Vary: "Origin",
      };
    },
  };
}
