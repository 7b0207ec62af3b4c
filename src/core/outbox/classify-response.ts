/** Decides what the result of a call means for an outbox row: the table of specification/sending.md §2. */
import {
  APP_SUSPENDED,
  isOutcomeUnknown,
  COOLDOWN,
  INPUT_ERROR,
  NOT_FOUND,
  RATE_LIMITED,
} from "../../wire/errors.ts";
import { retryWait } from "../../wire/rate-limits.ts";
import { ApiError, LocalError, TransportError } from "../../model/errors.ts";
import { SignInNeeded } from "../http/token.ts";
import type { OutboxAction } from "../base/outbox-row.ts";

export type ResponseClass =
  /** Arrived; also a retry whose change was made already. */
  | { kind: "acked" }
  | { kind: "rejected" }
  /** Sent with an unknown result: look it up by id before sending again. */
  | { kind: "unknown" }
  /** Certainly not sent: no lookup needed. */
  | { kind: "unsent" }
  /** The id is taken: by an earlier try, or by another message. */
  | { kind: "exists" }
  /** `until`: wall clock; absent = until the user signs in. */
  | { kind: "parked"; for: "rateLimit" | "slowMode" | "signIn"; until?: number };

const RATE_LIMIT_WAIT = 10_000;
const SLOW_MODE_WAIT = 10_000;

export interface ResponseContext {
  kind: OutboxAction["kind"];
  /** Tries that may have reached the provider, this one included. */
  tries: number;
  now: number;
  /** Provider clock − local clock, milliseconds. */
  offset: number;
  /** Slow mode of the channel, seconds. */
  cooldown?: number;
}

export function classifyResponse(error: unknown, context: ResponseContext): ResponseClass {
  if (error instanceof ApiError) return classifyAnswer(error, context);
  if (error instanceof TransportError) return { kind: error.neverSent ? "unsent" : "unknown" };
  // Without a user or token nothing was sent.
  if (error instanceof SignInNeeded) return { kind: "parked", for: "signIn" };
  if (error instanceof LocalError) return { kind: "rejected" };
  return { kind: "unknown" };
}

function classifyAnswer(error: ApiError, context: ResponseContext): ResponseClass {
  const { status, code } = error;
  if (status === 429 || code === RATE_LIMITED) {
    const wait = retryWait(error, context.now + context.offset) ?? RATE_LIMIT_WAIT;
    return { kind: "parked", for: "rateLimit", until: plausibleTime(context.now + wait, context.now) };
  }
  if (code === COOLDOWN) {
    const wait = context.cooldown ? context.cooldown * 1000 : SLOW_MODE_WAIT;
    return { kind: "parked", for: "slowMode", until: context.now + wait };
  }
  // The row is fine, but its sender is not accepted now.
  if (status === 401 || code === APP_SUSPENDED) return { kind: "parked", for: "signIn" };
  const isRemoval = context.kind === "delete" || context.kind === "unreact";
  if (isRemoval && (code === NOT_FOUND || status === 404)) return { kind: "acked" };
  // Without its code a refusal may also mean that an earlier try arrived.
  if (isOutcomeUnknown(status) || error.isCut) return { kind: "unknown" };
  if (code === INPUT_ERROR && context.kind === "send" && context.tries > 1) return { kind: "exists" };
  return { kind: "rejected" };
}

/** Limits a reset time to between 1 s and 10 min from now. */
function plausibleTime(until: number, now: number): number {
  return Math.min(Math.max(until, now + 1000), now + 10 * 60_000);
}
