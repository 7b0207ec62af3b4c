/** Parses changes of fields from `name=value` pairs. */
import { CommandError } from "../base/define-command.ts";
import { readPairs } from "../base/custom-fields.ts";

/** `address.floor=4` sets a path; valid JSON is parsed, but for `texts`. Throws `CommandError` (usage) when nothing is given. */
export function readSet(
  fields: readonly string[],
  unset: readonly string[] = [],
  texts: readonly string[] = [],
): { set?: Record<string, unknown>; unset?: string[] } {
  const set = readPairs(fields, "a field", texts);
  if (fields.length === 0 && unset.length === 0)
    throw new CommandError("usage", "Nothing to change.", "Give name=value, or --unset name.");
  return {
    ...(fields.length > 0 ? { set } : {}),
    ...(unset.length > 0 ? { unset: [...unset] } : {}),
  };
}
