/** A received webhook, as it is recorded and printed. */
import {
  WEBHOOK_ATTEMPT_HEADER,
  WEBHOOK_ID_HEADER,
  WEBHOOK_KEY_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  webhookBody,
} from "../../../wire/entities/webhook.ts";
import { parseBounded } from "../../../wire/bounded-json.ts";

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
