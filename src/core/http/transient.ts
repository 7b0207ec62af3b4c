/** Decides whether a failure is transient: the same request may succeed later. */
import { ApiError, TransportError } from "../../model/errors.ts";
import { SignInNeeded } from "./token.ts";

/** A network failure, a rate limit, an overloaded provider, or credentials that the next sign-in renews. */
export function isTransient(error: unknown): boolean {
  if (error instanceof TransportError || error instanceof SignInNeeded) return true;
  if (!(error instanceof ApiError)) return false;
  const { status, retryable } = error;
  return retryable || status >= 500 || status === 401 || status === 429;
}
