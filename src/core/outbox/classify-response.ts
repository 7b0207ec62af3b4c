/** Decides what an answer means for an outbox row: the table of specification/sending.md §2. */
import {
  APP_SUSPENDED,
  leavesOpen,
  COOLDOWN,
  INPUT_ERROR,
  NOT_FOUND,
  RATE_LIMITED,
} from "../../wire/errors.ts";
import { askedWait } from "../../wire/rate-limits.ts";
import { ApiError, LocalError, TransportError } from "../../model/errors.ts";
import { SignInNeeded } from "../http/token.ts";
import type { OutboxAction } from "../base/outbox-row.ts";

export type ResponseClass =
  /** Arrived; a repeat that finds its work done already counts as arrived. */
  | { kind: "acked" }
  | { kind: "rejected" }
  /** Sent, and nobody knows: look by id before sending again. */
  | { kind: "unknown" }
  /** Certainly not sent: nothing has to be looked up. */
  | { kind: "unsent" }
  /** The id is taken: ours from an earlier try, or somebody else's. */
  | { kind: "exists" }
  /** Wall clock until which to wait; absent = until the user signs in. */
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
  if (error instanceof ApiError) return ofAnswer(error, context);
  if (error instanceof TransportError) return { kind: error.neverSent ? "unsent" : "unknown" };
  // No user or token is set, or the token cannot be had: nothing was sent.
  if (error instanceof SignInNeeded) return { kind: "parked", for: "signIn" };
  if (error instanceof LocalError) return { kind: "rejected" };
  return { kind: "unknown" };
}

function ofAnswer(error: ApiError, context: ResponseContext): ResponseClass {
  const { status, code } = error;
  if (status === 429 || code === RATE_LIMITED) {
    const wait = askedWait(error, context.now + context.offset) ?? RATE_LIMIT_WAIT;
    return { kind: "parked", for: "rateLimit", until: clamp(context.now + wait, context.now) };
  }
  if (code === COOLDOWN) {
    const wait = context.cooldown ? context.cooldown * 1000 : SLOW_MODE_WAIT;
    return { kind: "parked", for: "slowMode", until: context.now + wait };
  }
  // Nothing is wrong with the row: who sends it is not accepted now.
  if (status === 401 || code === APP_SUSPENDED) return { kind: "parked", for: "signIn" };
  if (leavesOpen(status)) return { kind: "unknown" };
  if (code === INPUT_ERROR && context.kind === "send" && context.tries > 1) return { kind: "exists" };
  const takesAway = context.kind === "delete" || context.kind === "unreact";
  if (takesAway && (code === NOT_FOUND || status === 404)) return { kind: "acked" };
  return { kind: "rejected" };
}

/** A reset that is past or absurdly far is not believed. */
function clamp(until: number, now: number): number {
  return Math.min(Math.max(until, now + 1000), now + 10 * 60_000);
}
