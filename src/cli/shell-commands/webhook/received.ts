/** A webhook as it was received: what is stored, shown and sent again. */
import {
  WEBHOOK_ATTEMPT_HEADER,
  WEBHOOK_ID_HEADER,
  WEBHOOK_KEY_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  webhookBody,
} from "../../../wire/entities/webhook.ts";

/** One line of a file that `webhook listen --out` writes. */
export interface Received {
  received_at: string;
  id: string;
  attempt: number;
  /** The same was there before. */
  duplicate: boolean;
  headers: Record<string, string>;
  /** As it came, base64. */
  body: string;
}

/** The headers that are passed on: those of the webhook, and what its body is. */
const KEPT = [
  "Content-Type",
  "Content-Encoding",
  WEBHOOK_ID_HEADER,
  WEBHOOK_ATTEMPT_HEADER,
  WEBHOOK_KEY_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
];

export function keptHeaders(
  given: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const found = KEPT.map((name) => [name, given[name.toLowerCase()]] as const);
  return Object.fromEntries(found.filter((pair): pair is [string, string] => typeof pair[1] === "string"));
}

/** The body as JSON; its text where it is none. */
export function eventOf(body: Uint8Array): unknown {
  const text = Buffer.from(webhookBody(body) ?? body).toString("utf8");
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Whoever is passed a webhook has so long to answer, milliseconds. */
const ANSWER = 10_000;

/** The status of the answer; 504 for none in time, 502 when nobody took it. */
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
      signal: AbortSignal.timeout(ANSWER),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    return (error as Error).name === "TimeoutError" ? 504 : 502;
  }
}
