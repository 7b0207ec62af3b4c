/** Fields of a user from `name=value` words and from lines of a file. */
import { CommandError } from "../base/define-command.ts";
import { readPairs } from "../base/custom-fields.ts";

/** `address.floor=4` sets a path; a value that is JSON is taken as JSON. Throws `CommandError` (usage) when there is nothing. */
export function readSet(
  fields: readonly string[],
  unset: readonly string[] = [],
): { set?: Record<string, unknown>; unset?: string[] } {
  const set = readPairs(fields, "a field");
  if (fields.length === 0 && unset.length === 0)
    throw new CommandError("usage", "Nothing to change.", "Give name=value, or --unset name.");
  return {
    ...(fields.length > 0 ? { set } : {}),
    ...(unset.length > 0 ? { unset: [...unset] } : {}),
  };
}

/** Cells of a CSV file that hold lists or objects are read as JSON; a plain list may stand as `red blue`. */
export function fromCells(cells: Record<string, string>): Record<string, unknown> {
  const user: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(cells)) {
    if (text === "") continue;
    if (name === "teams" && !text.startsWith("[")) user[name] = text.split(/[\s;]+/).filter(Boolean);
    else Object.assign(user, readPairs([`${name}=${text}`], "a column"));
  }
  // An id, a name or a role that looks like a number is still a text.
  for (const name of ["id", "name", "image", "language", "status", "role"])
    if (cells[name] !== undefined && cells[name] !== "") user[name] = cells[name];
  return user;
}
