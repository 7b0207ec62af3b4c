/** Reads filters given as JSON text. */
import type { Filter } from "../../../wire/entities/query.ts";
import { readJsonObject } from "../json.ts";

/** Throws `CommandError` (usage) when the text is not a JSON object. */
export const readFilter = (text: string): Filter =>
  readJsonObject(text, "--filter", '{"frozen":true}') as Filter;

/** The filter of `--filter` with the conditions of other flags: one about the same field does not replace it. */
export function filterWith(text: string | undefined, conditions: Filter): Filter {
  const given = text === undefined ? {} : readFilter(text);
  const overlaps = Object.keys(conditions).some((key) => Object.hasOwn(given, key));
  return overlaps ? { $and: [given, conditions] } : { ...given, ...conditions };
}
