/** Turns refusals such as "already exists" into conflicts with their own message and exit code (6). */
import { CommandError } from "./define-command.ts";
import { INPUT_ERROR, isOutcomeUnknown } from "../../wire/errors.ts";
import { withHint } from "../../model/errors.ts";

interface RequestError {
  name?: string;
  code?: number | string;
  status?: number;
  neverSent?: boolean;
  body?: { exception_fields?: Record<string, string> };
}

/** `fields`: fields whose input error (code 4) means a conflict with existing state → its message. */
export async function withConflicts<T>(
  request: Promise<T>,
  fields: Readonly<Record<string, (problem: string) => { message: string; hint?: string }>>,
): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const { name, code, body } = error as RequestError;
    if (name !== "ApiError" || code !== INPUT_ERROR) throw error;
    for (const [field, problem] of Object.entries(body?.exception_fields ?? {})) {
      if (!Object.hasOwn(fields, field)) continue;
      const conflict = fields[field]!(problem);
      throw new CommandError("conflict", conflict.message, conflict.hint);
    }
    throw error;
  }
}

/** The message for a campaign in the wrong status: `is completed: it cannot be started`. */
export const wrongStatus =
  (campaign: string) =>
  (problem: string): { message: string; hint: string } => ({
    message: `Campaign ${campaign} ${problem}.`,
    hint: `parley campaign get ${campaign}`,
  });

/** An input error becomes a conflict when `findExisting` finds that the id already exists. */
export async function unlessTaken<T>(
  request: Promise<T>,
  findExisting: () => Promise<unknown>,
  conflict: { message: string; hint: string },
): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const { name, code } = error as RequestError;
    const found =
      name === "ApiError" && code === INPUT_ERROR && (await findExisting().then(Boolean, () => false));
    if (found) throw new CommandError("conflict", conflict.message, conflict.hint);
    throw error;
  }
}

/** A write without a clear response may have happened: exits with 11 and hints where to look (specification/command-line.md §2). */
export async function orUnknownOutcome<T>(request: Promise<T>, hint: string): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const { name, code, status = 0, neverSent } = error as RequestError;
    const isLost = name === "TransportError" && !neverSent && code !== "ERR_CANCELED";
    if (!isLost && !(name === "ApiError" && code === undefined && isOutcomeUnknown(status))) throw error;
    throw Object.assign(withHint(error, hint), { unsafe: true });
  }
}
