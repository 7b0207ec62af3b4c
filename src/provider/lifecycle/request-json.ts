/** Sends a small JSON request to a provider on this machine; uses node:http, which loads fast, because every start sends some. */
import { request } from "node:http";
import { TransportError, transportError } from "../../model/transport.ts";

/** Most characters of an answer; a provider's answers are far shorter. */
const MAX_ANSWER = 1_000_000;

interface JsonRequest {
  /** Operation name for error messages. */
  op: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: unknown;
  /** Milliseconds for the whole exchange. */
  timeout: number;
}

/** Status and parsed body (undefined unless JSON). Rejects with `TransportError` without an answer in time; follows no redirect. */
export function requestJson(url: string, options: JsonRequest): Promise<{ status: number; body: unknown }> {
  const { op, method = "GET", timeout } = options;
  const text = options.body === undefined ? undefined : JSON.stringify(options.body);
  return new Promise((resolve, reject) => {
    const failed = (error: unknown): void => reject(transportError(op, error, undefined, connected));
    let connected = false;
    const out = request(
      url,
      {
        method,
        headers: {
          ...options.headers,
          ...(text !== undefined && {
            "content-type": "application/json",
            "content-length": String(Buffer.byteLength(text)),
          }),
        },
        // AbortSignal.timeout takes whole milliseconds only.
        signal: AbortSignal.timeout(Math.ceil(timeout)),
      },
      (answer) => {
        let received = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => {
          received += part;
          if (received.length > MAX_ANSWER)
            out.destroy(new TransportError("ERR_BAD_RESPONSE", `${op} was answered with too much data`));
        });
        answer.on("error", failed);
        answer.on("end", () => {
          let body: unknown;
          try {
            body = JSON.parse(received);
          } catch {
            // Not a provider; the status may still be useful.
          }
          resolve({ status: answer.statusCode ?? 0, body });
        });
      },
    );
    out.once("socket", (socket) => {
      // A reused keep-alive connection is connected already.
      if (!socket.connecting) connected = true;
      else socket.once("connect", () => (connected = true));
    });
    out.on("error", failed);
    out.end(text);
  });
}
