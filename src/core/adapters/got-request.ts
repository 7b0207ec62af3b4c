/** The request port over got: any status is an answer, no retries, no URL in error texts. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Readable, type Duplex } from "node:stream";
import type { Request } from "got";
import { ENCRYPTED_PORT } from "../../model/obstacles.ts";
import { SLOWEST_FILE } from "../../wire/constants.ts";
import { failureFacts } from "../../model/transport.ts";
import { PortFailure, type HttpReply, type HttpRequest, type RequestPort } from "../base/ports.ts";
import { PlainPorts } from "./tls-port.ts";

/** The failure of a request; without a connection nothing can have been sent. */
function asFailure(error: unknown, tooBig: boolean, connected: boolean): PortFailure {
  if (tooBig) return new PortFailure("tooBig", "the answer is too long");
  const { kind, reason, neverSent, system, obstacle } = failureFacts(error, connected);
  return new PortFailure(kind, reason, neverSent, system, obstacle);
}

/** Whether a connection to the provider was established, TLS and the proxy's tunnel included: from then on bytes of the request may have left. */
function watchConnected(stream: Request, url: string): () => boolean {
  let connected = false;
  stream.on("socket", (socket: Socket & { secureConnecting?: boolean }) => {
    if (!socket.connecting && socket.secureConnecting !== true) connected = true;
    else socket.once(/^https:/i.test(url) ? "secureConnect" : "connect", () => (connected = true));
  });
  return () => connected;
}

const headersOf = ({ headers }: { headers: Record<string, unknown> }): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(", ") : String(value)]),
  );

/** Resolves when the server switches to another protocol: got would wait for a body, and leave the socket open. */
const switchedProtocol = (stream: Request): Promise<HttpReply> =>
  new Promise((resolve) => {
    stream.on("upgrade", (response: IncomingMessage, socket: Duplex) => {
      socket.destroy();
      stream.destroy();
      resolve({ status: response.statusCode ?? 101, headers: headersOf(response), text: "" });
    });
  });

/** Ends a request after a silence, not for its size; and one of which a whole window moved too little, as a trickle is no answer. */
function watchPace(stream: Request, silence: number): { moved(bytes: number): void; end(): void } {
  const tooLate = (): void => void stream.destroy(new DOMException("late", "TimeoutError"));
  // The time limit of got begins to work when there is a connection.
  const timer = setTimeout(tooLate, silence);
  let since = performance.now();
  let sum = 0;
  return {
    moved(bytes) {
      timer.refresh();
      sum += bytes;
      if (performance.now() - since < SLOWEST_FILE.within) return;
      if (sum < SLOWEST_FILE.bytes) return tooLate();
      [since, sum] = [performance.now(), 0];
    },
    end: () => clearTimeout(timer),
  };
}

async function readReply(
  stream: Request,
  limit: number,
  { tooBig, moved }: { tooBig(): void; moved(bytes: number): void },
): Promise<HttpReply> {
  let status = 0;
  let headers: Record<string, string> = {};
  stream.on("response", (response: IncomingMessage) => {
    status = response.statusCode ?? 0;
    headers = headersOf(response);
    moved(0);
  });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    moved(chunk.length);
    if (length > limit) {
      tooBig();
      throw new Error("too big");
    }
    chunks.push(Buffer.from(chunk));
  }
  return { status, headers, text: Buffer.concat(chunks, length).toString("utf8") };
}

/** The answer; throws when it is the error of a TLS port, which some servers write in plain text. */
async function checkPort(ports: PlainPorts, url: string, reply: HttpReply): Promise<HttpReply> {
  if (reply.status !== 400 || /^\s*\{/.test(reply.text)) ports.answered(url);
  else if (/^http:/i.test(url) && (await ports.isEncrypted(url)))
    throw new PortFailure("network", ENCRYPTED_PORT.reason, true, undefined, ENCRYPTED_PORT);
  return reply;
}

export function createGotRequest(): RequestPort {
  const ports = new PlainPorts();
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
    const connected = watchConnected(stream, request.url);
    const pace = request.timeout > 0 ? watchPace(stream, request.timeout) : undefined;
    let tooBig = false;
    try {
      const reply = readReply(stream, request.maxBytes, {
        tooBig: () => (tooBig = true),
        moved: (bytes) => pace?.moved(bytes),
      });
      return await checkPort(ports, request.url, await Promise.race([reply, switchedProtocol(stream)]));
    } catch (error) {
      stream.destroy();
      throw await ports.explain(request.url, asFailure(error, tooBig, connected()));
    } finally {
      pace?.end();
    }
  };
}
