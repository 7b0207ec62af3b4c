/** Errors of calls: refusals by the provider, local checks, missing answers (specification/errors.md §3). */
import { NOT_FOUND, isRetryable, type ErrorBody } from "../wire/errors.ts";
import type { CostBudget, RateLimit } from "../wire/rate-limits.ts";

export { TransportError } from "./transport.ts";

/** A 4xx or 5xx answer, or an error frame. */
export class ApiError extends Error {
  readonly status: number;
  /** Absent when the body was not JSON. */
  readonly code: number | undefined;
  readonly body: Partial<ErrorBody> | undefined;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly budget: CostBudget | undefined;
  /** When to retry, if the answer says so; ms. */
  readonly retryAfter: number | undefined;
  /** The answer was cut off, and with it the code: why the call was refused is not known, so it may be repeated. */
  readonly isCut: boolean;
  constructor(
    message: string,
    context: {
      status: number;
      code?: number;
      body?: Partial<ErrorBody>;
      requestId?: string;
      rateLimit?: RateLimit | undefined;
      retryAfter?: number | undefined;
      budget?: CostBudget | undefined;
      isCut?: boolean;
    },
  ) {
    super(message);
    this.name = "ApiError";
    this.status = context.status;
    this.code = context.code;
    this.body = context.body;
    this.requestId = context.requestId;
    this.rateLimit = context.rateLimit;
    this.retryAfter = context.retryAfter;
    this.budget = context.budget;
    this.isCut = context.isCut ?? false;
  }
  get retryable(): boolean {
    return this.isCut || isRetryable(this.status, this.code);
  }
}

/** The lists of channels do not have the channel: which of the two is the reason, they do not say. */
export class ChannelNotFound extends ApiError {
  /** No answer said so: there is no number to show. */
  readonly kind = "unlisted";
  readonly about = "channel";
  constructor(cid: string) {
    super(`${cid} does not exist, or you may not read it`, { status: 404, code: NOT_FOUND });
  }
}

/** A local check that failed before any request; the specification fixes most of the messages. */
export class LocalError extends Error {
  /** The error code of the file system, if a file caused it. */
  readonly code: string | undefined;
  constructor(message: string, code?: string) {
    super(message);
    this.name = "LocalError";
    this.code = code;
  }
}

/** A text with more characters than its channel accepts; `most` is the limit. */
export class TooLongError extends LocalError {
  readonly most: number;
  constructor(length: number, most: number) {
    super(`The message is too long: ${length} of at most ${most} characters`);
    this.most = most;
  }
}

/** A 2xx answer that refuses: the message was a command, which failed for this reason (R-SEND-11). */
export class AnswerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AnswerError";
  }
}

/** The message of anything that was thrown. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Replaces the hint of any error; defined as a property because some errors have a getter for it. */
export const withHint = (error: unknown, hint: string): Error =>
  Object.defineProperty(error as Error, "hint", { value: hint, configurable: true });
