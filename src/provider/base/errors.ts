/** Converts what a call threw into the wire's error body (specification/errors.md §1). */
import { CODES, type Code, type ErrorBody } from "../../wire/errors.ts";
import { ApiProblem } from "./handler.ts";

/** Statuses for which repeating the very same request cannot help (specification/errors.md §6). */
const FINAL = new Set([400, 403, 404, 413]);

/** `"4.31ms"` since a `performance.now()` value. */
export function durationSince(start: number): string {
  return `${(performance.now() - start).toFixed(2)}ms`;
}

/** Anything that is not an `ApiProblem` is a fault of ours: 500, code −1, and no word of the inside. */
export function errorBody(op: string, error: unknown, start: number): ErrorBody {
  const refusal = error instanceof ApiProblem ? error : undefined;
  const code = refusal?.code ?? -1;
  const status = refusal?.status ?? CODES[code as Code]?.status ?? 400;
  const reason = refusal?.message ?? "internal system error";
  return {
    code,
    message: `${op} failed with error: "${reason}"`,
    StatusCode: status,
    duration: durationSince(start),
    more_info: "",
    details: [],
    ...(refusal?.fields ? { exception_fields: refusal.fields } : {}),
    ...(FINAL.has(status) ? { unrecoverable: true } : {}),
  };
}

export const TOKEN_IS_EXPIRED = "token is expired";
