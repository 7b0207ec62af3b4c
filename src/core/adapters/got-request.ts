/** The request port over got: any status is an answer, nothing is repeated, no error text holds the address. */
import { Readable } from "node:stream";
import type { Request } from "got";
import { PortFailure } from "../ports.ts";
import type { HttpReply, HttpRequest, RequestPort } from "../ports.ts";

/** Why a connection failed, in words; codes of the system that are not listed are named as they are. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was closed while sending",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ENETDOWN: "the network is down",
  CERT_HAS_EXPIRED: "the certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is signed by nobody known",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate is signed by nobody known",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate cannot be verified",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate belongs to another host",
  ERR_INVALID_URL: "the address is not valid",
  ERR_READING_RESPONSE_STREAM: "the connection broke in the middle of the answer",
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: "the connection broke in the middle of the answer",
};

/** Failures before a connection stood: nothing was sent. */
const BEFORE_SENDING = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "ERR_INVALID_URL",
]);

function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let at: unknown = error; at instanceof Error && codes.length < 4; at = at.cause) {
    const { code } = at as Error & { code?: unknown };
    if (typeof code === "string") codes.push(code);
  }
  return codes;
}

/** The reason of a network error, without any address. */
function failureReason(error: unknown): string {
  for (const code of codesOf(error)) {
    const words = REASONS[code];
    if (words) return words;
    if (/^E[A-Z]+$/.test(code)) return `the connection failed (${code})`;
  }
  return "the connection failed";
}

function asFailure(error: unknown, tooBig: boolean): PortFailure {
  if (tooBig) return new PortFailure("tooBig", "the answer is too long");
  const name = error instanceof Error ? error.name : "";
  if (name === "AbortError") return new PortFailure("abort", "cancelled");
  if (name === "TimeoutError") return new PortFailure("timeout", "no answer in time");
  const neverSent = codesOf(error).some((code) => BEFORE_SENDING.has(code));
  return new PortFailure("network", failureReason(error), neverSent);
}

async function readReply(stream: Request, limit: number, tooBig: () => void): Promise<HttpReply> {
  let status = 0;
  let headers: Record<string, string> = {};
  stream.on("response", (response: { statusCode: number; headers: Record<string, unknown> }) => {
    status = response.statusCode;
    headers = Object.fromEntries(
      Object.entries(response.headers)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [
          name.toLowerCase(),
          Array.isArray(value) ? value.join(", ") : String(value),
        ]),
    );
  });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > limit) {
      tooBig();
      throw new Error("too big");
    }
    chunks.push(Buffer.from(chunk));
  }
  return { status, headers, text: Buffer.concat(chunks, length).toString("utf8") };
}

export function createGotRequest(): RequestPort {
  return async (request: HttpRequest): Promise<HttpReply> => {
    if (request.signal?.aborted) throw new PortFailure("abort", "cancelled");
    const { default: got } = await import("got");
    const { body } = request;
    const upload = typeof body === "object" ? body : undefined;
    const stream = got.stream(request.url, {
      method: request.method as "GET",
      headers: { ...request.headers, ...(upload && { "content-length": String(upload.length) }) },
      ...(typeof body === "string" && { body }),
      ...(upload && { body: Readable.from(upload.open(), { objectMode: false }) }),
      ...(request.signal && { signal: request.signal }),
      timeout: request.timeout > 0 ? { request: request.timeout } : {},
      retry: { limit: 0 },
      throwHttpErrors: false,
      followRedirect: false,
    });
    // A stream of a method that may have a body waits for one: a DELETE without body says so.
    if (body === undefined && request.method !== "GET") stream.end();
    if (upload && request.onProgress)
      stream.on("uploadProgress", ({ transferred }: { transferred: number }) =>
        request.onProgress?.(transferred, upload.length),
      );
    let tooBig = false;
    try {
      return await readReply(stream, request.maxBytes, () => (tooBig = true));
    } catch (error) {
      stream.destroy();
      throw asFailure(error, tooBig);
    }
  };
}
