/** A received webhook, as it is recorded, printed and forwarded. */
import {
  WEBHOOK_ATTEMPT_HEADER,
  WEBHOOK_ID_HEADER,
  WEBHOOK_KEY_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  webhookBody,
} from "../../../wire/entities/webhook.ts";
import { ExitError } from "../../base/exit.ts";
import { parseBounded } from "../../../wire/bounded-json.ts";

/** Throws `ExitError` 2 for an address that nothing can be forwarded to. */
export function requireForwardAddress(url: string): void {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new ExitError(2, `--forward-to must be an http or https address, not '${url}'.`);
}

/** One line of a file that `webhook listen --out` writes. */
export interface Received {
  received_at: string;
  id: string;
  attempt: number;
  /** A webhook with this id was received before. */
  duplicate: boolean;
  headers: Record<string, string>;
  /** The unchanged body, base64. */
  body: string;
}

const FORWARDED_HEADERS = [
  "Content-Type",
  "Content-Encoding",
  WEBHOOK_ID_HEADER,
  WEBHOOK_ATTEMPT_HEADER,
  WEBHOOK_KEY_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
];

export function webhookHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const found = FORWARDED_HEADERS.map((name) => [name, headers[name.toLowerCase()]] as const);
  return Object.fromEntries(found.filter((pair): pair is [string, string] => typeof pair[1] === "string"));
}

/** The body as JSON, or as text if it is not JSON. */
export function eventOf(body: Uint8Array): unknown {
  const text = Buffer.from(webhookBody(body) ?? body).toString("utf8");
  return parseBounded(text) ?? text;
}

/** The type of an event; empty for a body that has none. */
export const eventType = (event: unknown): string => {
  const { type } = (event ?? {}) as { type?: unknown };
  return typeof type === "string" ? type : "";
};

/** Time limit for the answer to a forwarded webhook, ms. */
const ANSWER_MS = 10_000;

/** Forwards a webhook and returns the status of the answer: 504 on timeout, 502 if the connection fails. */
export async function forwardReceived(
  url: string,
  { headers, body }: Pick<Received, "headers" | "body">,
): Promise<number> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers,
      body: Buffer.from(body, "base64"),
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    return (error as Error).name === "TimeoutError" ? 504 : 502;
  }
}
