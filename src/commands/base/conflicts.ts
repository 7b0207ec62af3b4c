/** Turns refusals such as "already exists" into a conflict with its own words and exit code (6). */
import { CommandError } from "./define-command.ts";
import { INPUT_ERROR, leavesOpen } from "../../wire/errors.ts";
import { withHint } from "../../model/errors.ts";

interface Refused {
  name?: string;
  code?: number | string;
  status?: number;
  neverSent?: boolean;
  body?: { exception_fields?: Record<string, string> };
}

/** `fields`: the fields whose refusal (code 4) is no bad input but a state of what is there → the sentence for it, when the problem is one. */
export async function withConflicts<T>(
  asked: Promise<T>,
  fields: Readonly<Record<string, (problem: string) => { message: string; hint?: string }>>,
): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const { name, code, body } = error as Refused;
    if (name !== "ApiError" || code !== INPUT_ERROR) throw error;
    for (const [field, problem] of Object.entries(body?.exception_fields ?? {})) {
      if (!Object.hasOwn(fields, field)) continue;
      const said = fields[field]!(problem);
      throw new CommandError("conflict", said.message, said.hint);
    }
    throw error;
  }
}

/** `is completed: it cannot be started` of a campaign's status. */
export const inState =
  (campaign: string) =>
  (problem: string): { message: string; hint: string } => ({
    message: `Campaign ${campaign} ${problem}.`,
    hint: `parley campaign get ${campaign}`,
  });

/** A refusal of an id that was chosen is a conflict when `look` finds that there is one of that id. */
export async function unlessTaken<T>(
  asked: Promise<T>,
  look: () => Promise<unknown>,
  said: { message: string; hint: string },
): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const { name, code } = error as Refused;
    const found = name === "ApiError" && code === INPUT_ERROR && (await look().then(Boolean, () => false));
    if (found) throw new CommandError("conflict", said.message, said.hint);
    throw error;
  }
}

/**
 * A write without a clear answer may have happened, also where the protocol would let it be repeated: it ends with 11 and
 * says where to look (specification/command-line.md §2).
 */
export async function orUnknown<T>(asked: Promise<T>, look: string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const { name, code, status = 0, neverSent } = error as Refused;
    const isLost = name === "TransportError" && !neverSent && code !== "ERR_CANCELED";
    if (!isLost && !(name === "ApiError" && code === undefined && leavesOpen(status))) throw error;
    throw Object.assign(withHint(error, look), { unsafe: true });
  }
}
