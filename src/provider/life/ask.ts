/** A small JSON request to a provider on this machine: loads nothing but node:http, because every start makes some. */
import { request } from "node:http";

/** A provider's answers to these questions are short; more is not a provider. */
const LONGEST = 1_000_000;

export interface Asked {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: unknown;
  /** Milliseconds for the whole exchange. */
  timeout: number;
}

/** Status and parsed body (undefined when it is no JSON). Rejects when nobody answers in time; follows no redirect. */
export function ask(url: string, asked: Asked): Promise<{ status: number; body: unknown }> {
  const { method = "GET", timeout } = asked;
  const text = asked.body === undefined ? undefined : JSON.stringify(asked.body);
  return new Promise((resolve, reject) => {
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
        signal: AbortSignal.timeout(timeout),
      },
      (answer) => {
        let given = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => {
          given += part;
          if (given.length > LONGEST) out.destroy(new Error("the answer is too long"));
        });
        answer.on("error", reject);
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
    out.on("error", reject);
    out.end(text);
  });
}
