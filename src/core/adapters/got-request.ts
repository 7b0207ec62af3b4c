/** The request port over got: any status is an answer, no retries, no URL in error texts. */
import { Readable } from "node:stream";
import type { Request } from "got";
import { failureFacts } from "../../model/transport.ts";
import { PortFailure, type HttpReply, type HttpRequest, type RequestPort } from "../base/ports.ts";

/** The failure of a request; without a connection nothing can have been sent. */
function asFailure(error: unknown, tooBig: boolean, stream: Request): PortFailure {
  if (tooBig) return new PortFailure("tooBig", "the answer is too long");
  const { kind, reason, neverSent, system, obstacle } = failureFacts(error, wasConnected(stream));
  return new PortFailure(kind, reason, neverSent, system, obstacle);
}

/** Whether a connection to the provider was established, including TLS. */
function wasConnected({ timings, options }: Request): boolean {
  const secure = options.url instanceof URL && options.url.protocol === "https:";
  return timings !== undefined && (secure ? timings.secureConnect : timings.connect) !== undefined;
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
    // Errors before the answer reject in `readReply`; later ones do not matter.
    stream.on("error", () => {});
    // The stream waits for a body unless the method is GET: end the stream of a DELETE.
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
      throw asFailure(error, tooBig, stream);
    }
  };
}
