/** Protects the loopback provider from web pages: exact host names, only allowed origins (specification/security.md §2). */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { ApiProblem } from "../base/handler.ts";

export interface Gate {
  /** Throws an `ApiProblem` (403, code 17) for another host or an origin that is not allowed; code 4 for two hosts. */
  check(request: Pick<IncomingMessage, "headers" | "headersDistinct">): void;
  /** An additional check for paths that need no token: refuses cross-site requests without an origin, such as images. */
  checkOpen(headers: IncomingHttpHeaders): void;
  /** CORS headers of an answer; empty unless the request's origin was allowed. */
  cors(headers: IncomingHttpHeaders): OutgoingHttpHeaders;
}

const EXPOSED =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, x-client-request-id";

/**
 * The exact `Host` stops DNS rebinding (another name that resolves to 127.0.0.1). An `Origin` header means that the request
 * comes from a web page, which must be allowed by name. `null` is never allowed.
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
      // Of two Host headers another parser might read the other one.
      if (host && host.length > 1) throw ApiProblem.input("Host must be given once");
      if (!headers.host || !hosts.has(headers.host.toLowerCase()))
        throw ApiProblem.notAllowed("this host name is not served here");
      if (headers.origin !== undefined && !allowed(headers.origin)) refuse();
    },
    cors(headers) {
      if (!allowed(headers.origin)) return {};
      const requestedHeaders = headers["access-control-request-headers"];
      return {
        "Access-Control-Allow-Origin": headers.origin,
        "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
        ...(requestedHeaders && /^[\w\-, ]{1,1024}$/.test(requestedHeaders)
          ? { "Access-Control-Allow-Headers": requestedHeaders }
          : {}),
        "Access-Control-Expose-Headers": EXPOSED,
        "Access-Control-Max-Age": "600",
        Vary: "Origin",
      };
    },
  };
}
