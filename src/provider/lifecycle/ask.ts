/** A small JSON request to a provider on this machine, with node:http alone because every start makes some. */
import { request } from "node:http";
import { TransportError, transportError } from "../../model/transport.ts";

/** A provider's answers to these questions are short; more is not a provider. */
const LONGEST = 1_000_000;

interface Asked {
  /** What is asked for, for the words of a failure. */
  op: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: unknown;
  /** Milliseconds for the whole exchange. */
  timeout: number;
}

/** Status and parsed body (undefined when it is no JSON). Rejects with `TransportError` when nobody answers in time; follows no redirect. */
export function requestJson(url: string, asked: Asked): Promise<{ status: number; body: unknown }> {
  const { op, method = "GET", timeout } = asked;
  const text = asked.body === undefined ? undefined : JSON.stringify(asked.body);
  return new Promise((resolve, reject) => {
    const failed = (error: unknown): void => reject(transportError(op, error, undefined, stood));
    let stood = false;
    const out = request(
      url,
      {
        method,
        headers: {
          ...asked.headers,
          ...(text !== undefined && {
            "content-type": "application/json",
            "content-length": String(Buffer.byteLength(text)),
          }),
        },
        // It takes whole milliseconds only.
        signal: AbortSignal.timeout(Math.ceil(timeout)),
      },
      (answer) => {
        let given = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => {
          given += part;
          if (given.length > LONGEST)
            out.destroy(new TransportError("ERR_BAD_RESPONSE", `${op} was answered with too much data`));
        });
        answer.on("error", failed);
        answer.on("end", () => {
          let body: unknown;
          try {
            body = JSON.parse(given);
          } catch {
            // Whoever answers so is not a provider; the status may still be of use.
          }
          resolve({ status: answer.statusCode ?? 0, body });
        });
      },
    );
    out.once("socket", (socket) => {
      // A line that was kept open from before stands already.
      if (!socket.connecting) stood = true;
      else socket.once("connect", () => (stood = true));
    });
    out.on("error", failed);
    out.end(text);
  });
}
