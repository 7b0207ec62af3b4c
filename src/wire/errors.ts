/** The body of every 4xx and 5xx answer, and the table of error codes. */

export interface ErrorBody {
  code: number;
  /** `<Operation> failed with error: "<reason>"` */
  message: string;
  StatusCode: number;
  duration: string;
  more_info: string;
  details?: number[];
  exception_fields?: Record<string, string>;
  unrecoverable?: boolean;
}

export interface CodeRow {
  readonly name: string;
  readonly status: number;
  /** Whether the same request may succeed later. */
  readonly retry: boolean;
}

/** All documented codes; unknown numbers are passed on unchanged. */
export const CODES = {
  [-1]: { name: "Internal System Error", status: 500, retry: true },
  2: { name: "Access Key Error", status: 401, retry: false },
  4: { name: "Input Error", status: 400, retry: false },
  5: { name: "Authentication Error", status: 401, retry: false },
  6: { name: "Duplicate Username Error", status: 400, retry: false },
  9: { name: "Rate Limit Error", status: 429, retry: true },
  16: { name: "Does Not Exist Error", status: 404, retry: false },
  17: { name: "Not Allowed Error", status: 403, retry: false },
  18: { name: "Event Not Supported Error", status: 400, retry: false },
  19: { name: "Channel Feature Not Supported Error", status: 400, retry: false },
  20: { name: "Message Too Long Error", status: 400, retry: false },
  21: { name: "Multiple Nesting Level Error", status: 400, retry: false },
  22: { name: "Payload Too Big Error", status: 413, retry: false },
  23: { name: "Request Timeout Error", status: 408, retry: true },
  24: { name: "Maximum Header Size Exceeded Error", status: 431, retry: false },
  40: { name: "Authentication Token Expired", status: 401, retry: true },
  41: { name: "Authentication Token Not Valid Yet", status: 401, retry: false },
  42: { name: "Authentication Token Before Issued At", status: 401, retry: false },
  43: { name: "Authentication Token Signature Invalid", status: 401, retry: false },
  44: { name: "Custom Command Endpoint Missing Error", status: 400, retry: false },
  45: { name: "Custom Command Endpoint Call Error", status: 400, retry: true },
  60: { name: "Cooldown Error", status: 403, retry: true },
  70: { name: "No Access to Channels", status: 403, retry: false },
  73: { name: "Message Moderation Failed", status: 400, retry: false },
  99: { name: "App Suspended Error", status: 403, retry: false },
} as const satisfies Record<number, CodeRow>;

export type Code = keyof typeof CODES;

export const INPUT_ERROR: Code = 4;
export const RATE_LIMITED: Code = 9;
export const NOT_FOUND: Code = 16;
export const COOLDOWN: Code = 60;
export const TOKEN_EXPIRED: Code = 40;
export const NOT_ALLOWED: Code = 17;
export const APP_SUSPENDED: Code = 99;

/** Codes that reject the credentials: only another token, or a change at the provider, helps (specification/auth.md §3). */
const CREDENTIAL_CODES: ReadonlySet<number> = new Set<Code>([2, 5, 17, 40, 41, 42, 43, 99]);

/** Whether an error code of a connection attempt or of its end rejects the credentials. */
export function refusesCredentials(code: number | undefined): boolean {
  return code !== undefined && CREDENTIAL_CODES.has(code);
}

/** Whether an error says that the object of a call does not exist. */
export const isNotFound = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === NOT_FOUND;

/** Whether a provider answered that it has no such route. A 404 may also mean that the object of the call does not exist. */
export function isRouteAbsent(error: unknown): boolean {
  const { name, status = 0 } = (error ?? {}) as { name?: string; status?: number };
  return name === "ApiError" && [404, 405, 501].includes(status);
}

/** HTTP status of a provider that cannot store anything, because its disk is full or read-only: nothing was written. */
export const STORAGE_FULL = 507;

/** Whether the outcome of a write is unknown after this HTTP status: it may have succeeded before the failure. */
export const isOutcomeUnknown = (status: number): boolean =>
  (status >= 500 && status !== STORAGE_FULL) || status === 408;

/** Whether a retry makes sense, by error code or else by HTTP status. */
export function isRetryable(status: number, code: number | undefined): boolean {
  const row = code === undefined ? undefined : (CODES as Record<number, CodeRow>)[code];
  return row ? row.retry : status >= 500 || status === 408 || status === 429;
}

/** Where the body of a partial update holds a field, which a person named without it: `users.0.set.`, `unset.`. */
const PARTIAL_PATH = /^(?:users\.0\.(?:(?:un)?set\.)?|(?:un)?set\.)/;

/** Where a body of people by their ids holds a field of one. */
const PERSON_PATH = /^users\.([\w@-]+)\.([\w.-]*\w)/;

/** A field as a person named it, without its place in the body. */
function asWritten(operation: string, reason: string): string {
  if (operation === "UpdateUsers") return reason.replace(PERSON_PATH, "$2 of $1");
  return /^Update\w+Partial$/.test(operation) ? reason.replace(PARTIAL_PATH, "") : reason;
}

/** The parts of `<Operation> failed with error: "<reason>"`; other messages are returned as the reason. The reason may be empty. */
export function failureOf(message: string): { operation?: string; reason: string } {
  const [, operation, reason] = /^(\w+) failed with error: (?:"([\s\S]*)"$)?/.exec(message) ?? [];
  if (operation === undefined) return { reason: message };
  return { operation, reason: asWritten(operation, reason ?? message) };
}

/** The reason without the operation; "<operation> failed" if there is none. */
export function reasonOf(message: string): string {
  const { operation, reason } = failureOf(message);
  return reason === "" && operation !== undefined ? `${operation} failed` : reason;
}
