/** Serializes errors between threads, including `ApiProblem` fields and SQLite's error codes. */
import { ApiProblem } from "../base/handler.ts";
import type { SerializedError } from "./job.ts";

export function serializeError(error: unknown): SerializedError {
  if (error instanceof ApiProblem) {
    const { code, fields, status, message } = error;
    return { refusal: { code, fields, status }, message };
  }
  const { message, stack, errcode } = error as Error & { errcode?: number };
  return { message: message ?? String(error), stack, errcode };
}

export function deserializeError({ refusal, message, stack, errcode }: SerializedError): Error {
  if (refusal)
    return new ApiProblem(refusal.code, message, {
      ...(refusal.fields ? { fields: refusal.fields } : {}),
      ...(refusal.status === undefined ? {} : { status: refusal.status }),
    });
  return Object.assign(new Error(message), { stack: stack ?? message, errcode });
}

const READONLY = 8;
/** Whether a reading thread failed because the handler tried to write. */
export const isWriteAttempt = (error: unknown): boolean =>
  (Number((error as { errcode?: number } | undefined)?.errcode ?? 0) & 0xff) === READONLY;
