/** Signs and verifies webhook bodies (specification/admin.md §12). */
import { createHmac, timingSafeEqual } from "node:crypto";
import { gunzipSync } from "node:zlib";

export const WEBHOOK_ID_HEADER = "X-Webhook-Id";
export const WEBHOOK_ATTEMPT_HEADER = "X-Webhook-Attempt";
export const WEBHOOK_KEY_HEADER = "X-Api-Key";
export const WEBHOOK_SIGNATURE_HEADER = "X-Signature";

/** Maximum size of a decompressed body, bytes, so that a small compressed one cannot fill the memory. */
const UNPACKED_LIMIT = 16 * 1024 * 1024;

export interface RequestInfo {
  type: "client" | "server";
  ip: string;
  user_agent: string;
  /** `X-Stream-Client`. */
  sdk: string;
  /** `x-stream-ext`. */
  ext: string;
}

const mac = (body: Uint8Array | string, secret: string): Buffer =>
  createHmac("sha256", secret).update(body).digest();

/** Lower-case hex of HMAC-SHA256 over the raw body, before any compression. */
export const signWebhook = (body: Uint8Array | string, secret: string): string =>
  mac(body, secret).toString("hex");

/** The decompressed body; gzip is recognized by its first two bytes. Undefined if it cannot be decompressed. */
export function webhookBody(received: Uint8Array): Uint8Array | undefined {
  if (received[0] !== 0x1f || received[1] !== 0x8b) return received;
  try {
    return gunzipSync(received, { maxOutputLength: UNPACKED_LIMIT });
  } catch {
    return undefined;
  }
}

/** The signature in a header, as hex of either case; other services write `sha256=` before it. */
const SIGNATURE = /^(?:sha256=)?([0-9a-f]{64})$/i;

/** Verifies the signature of a body, compressed or not, in constant time. */
export function verifyWebhook(
  received: Uint8Array | string,
  signature: string | undefined,
  secret: string,
): boolean {
  const [, hex] = SIGNATURE.exec(signature ?? "") ?? [];
  if (hex === undefined) return false;
  const body = typeof received === "string" ? received : webhookBody(received);
  return body !== undefined && timingSafeEqual(Buffer.from(hex, "hex"), mac(body, secret));
}
