/** A length of time as typed (`500ms`, `2s`, `15m`, `7d`) in milliseconds. */
import { readDuration } from "../../../text/when.ts";
import { ExitError } from "../../base/exit.ts";

/** `flag` names where it was typed; a wrong one ends with code 2. */
export function readLength(text: unknown, flag: string): number | undefined {
  if (text === undefined) return undefined;
  const typed = String(text).trim();
  const length = typed === "0" ? undefined : readDuration(typed);
  if (length !== undefined) return length;
  throw new ExitError(
    2,
    `${flag} must be a length of time, not '${typed.slice(0, 40)}'`,
    "For example 500ms, 2s, 15m, 2h, 7d",
  );
}
