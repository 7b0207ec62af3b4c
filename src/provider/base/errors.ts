/** Converts a thrown error into the error body of the wire (specification/errors.md §1). */
import { CODES, type Code, type ErrorBody } from "../../wire/errors.ts";
import { ApiProblem } from "./handler.ts";

/** Statuses for which repeating the same request cannot help (specification/errors.md §6). */
const UNRECOVERABLE = new Set([400, 403, 404, 413]);

/** `"4.31ms"` since a `performance.now()` value. */
export function durationSince(start: number): string {
  return `${(performance.now() - start).toFixed(2)}ms`;
}

/** Anything but an `ApiProblem` is an internal error: 500, code −1, without details. */
export function errorBody(op: string, error: unknown, start: number): ErrorBody {
  const problem = error instanceof ApiProblem ? error : undefined;
  const code = problem?.code ?? -1;
  const status = problem?.status ?? CODES[code as Code]?.status ?? 400;
  const reason = problem?.message ?? "internal system error";
  return {
    code,
    message: `${op} failed with error: "${reason}"`,
    StatusCode: status,
    duration: durationSince(start),
    more_info: "",
    details: [],
    ...(problem?.fields ? { exception_fields: problem.fields } : {}),
    ...(UNRECOVERABLE.has(status) ? { unrecoverable: true } : {}),
  };
}

export const TOKEN_IS_EXPIRED = "token is expired";
