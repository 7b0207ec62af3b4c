/** Errors of the client: an answer that says no, and no answer at all (specification/errors.md §3). */
import { isRetryable, type ErrorBody } from "../wire/errors.ts";
import type { RateLimit } from "../wire/rate-limits.ts";

export { TransportError } from "./transport.ts";

/** A 4xx or 5xx answer, or an error frame. */
export class ApiError extends Error {
  readonly status: number;
  /** Absent when the body was not JSON. */
  readonly code: number | undefined;
  readonly body: Partial<ErrorBody> | undefined;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** Milliseconds after which it may be tried again, where the answer says so. */
  readonly retryAfter: number | undefined;
  constructor(
    message: string,
    context: {
      status: number;
      code?: number;
      body?: Partial<ErrorBody>;
      requestId?: string;
      rateLimit?: RateLimit | undefined;
      retryAfter?: number | undefined;
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
  }
  get retryable(): boolean {
    return isRetryable(this.status, this.code);
  }
}

/** A local check that failed before any request; the text is the specification's where it has one. */
export class LocalError extends Error {
  /** Of the file system, where it is about a file. */
  readonly code: string | undefined;
  constructor(message: string, code?: string) {
    super(message);
    this.name = "LocalError";
    this.code = code;
  }
}

/** A text with more characters than its channel takes; `most` is how many those are. */
export class TooLongError extends LocalError {
  readonly most: number;
  constructor(length: number, most: number) {
    super(`The message is too long: ${length} of at most ${most} characters`);
    this.most = most;
  }
}

/** A 2xx answer that says no: the message was read as a command, and this is why it was not carried out (R-SEND-11). */
export class AnswerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AnswerError";
  }
}

/** The error with another hint, whatever kind it is: some make their hint by themselves, and none of it can be assigned. */
export const withHint = (error: unknown, hint: string): Error =>
  Object.defineProperty(error as Error, "hint", { value: hint, configurable: true });
