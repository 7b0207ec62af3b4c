/** One signed request to a hook on this machine. */
import {
  signWebhook,
  WEBHOOK_ATTEMPT_HEADER,
  WEBHOOK_ID_HEADER,
  WEBHOOK_KEY_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
} from "../../wire/entities/webhook.ts";
import { isOnThisMachine } from "./address.ts";

interface HookRequest {
  url: string;
  id: string;
  /** From 1. */
  attempt: number;
  body: string;
  /** Milliseconds of the machine's time. */
  timeout: number;
}

interface HookAnswer {
  status: number;
  text: string;
}

/** Resolves to undefined without an answer in time. Redirects are not followed: they could lead away from this machine. */
export type Post = (request: HookRequest) => Promise<HookAnswer | undefined>;

/** A longer answer counts as none, bytes. */
const ANSWER_LIMIT = 256 * 1024;

/** An address that is not on this machine is passed to `onRemoteUrl` instead of being called. */
export function createPost(apiKey: string, secret: string, onRemoteUrl: (url: string) => void): Post {
  return async ({ url, id, attempt, body, timeout }) => {
    if (!isOnThisMachine(url)) return void onRemoteUrl(url);
    try {
      const response = await fetch(url, {
        method: "POST",
        redirect: "manual",
        signal: AbortSignal.timeout(timeout),
        headers: {
          "Content-Type": "application/json",
          [WEBHOOK_ID_HEADER]: id,
          [WEBHOOK_ATTEMPT_HEADER]: String(attempt),
          [WEBHOOK_KEY_HEADER]: apiKey,
          [WEBHOOK_SIGNATURE_HEADER]: signWebhook(body, secret),
        },
        body,
      });
      return { status: response.status, text: await readLimited(response) };
    } catch {
      return undefined;
    }
  };
}

async function readLimited(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > ANSWER_LIMIT) throw new Error("the answer of the hook is too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
