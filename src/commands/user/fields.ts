/** Parses fields of a user from `name=value` pairs and CSV cells. */
import { CommandError } from "../base/define-command.ts";
import { readField, readPairs } from "../base/custom-fields.ts";

/** `address.floor=4` sets a path; valid JSON is parsed. Throws `CommandError` (usage) when nothing is given. */
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

/** Lists and objects in cells are JSON; teams may also be written `red blue`, `red, blue` or `red;blue`. */
export function fromCells(cells: Record<string, string>): Record<string, unknown> {
  const user: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(cells)) {
    if (text === "") continue;
    if (name === "teams" && !text.startsWith("[")) user[name] = text.split(/[\s;,|]+/).filter(Boolean);
    else user[name] = readField(name, text, "rejected");
  }
  // These stay text even if they look like numbers.
  for (const name of ["id", "name", "image", "language", "status", "role"])
    if (cells[name] !== undefined && cells[name] !== "") user[name] = cells[name];
  return user;
}
