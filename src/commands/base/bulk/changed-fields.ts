/** Which fields a record of a file changes: those that differ from what is there, so that what a list prints changes nothing. */
import { isDeepStrictEqual } from "node:util";
import { valueAt } from "../define-command.ts";
import { isEmpty } from "../replaced-fields.ts";
import type { GivenFields } from "./given-records.ts";

/** A partial update; absent parts are empty. */
export interface PartialChange {
  set?: Record<string, unknown>;
  unset?: string[];
}

export const isNoChange = ({ set, unset }: PartialChange): boolean =>
  set === undefined && unset === undefined;

/** Whether a field has this value already; a cell is also what it has when it is printed so (`7` of the text `"7"`). */
function hasValue(now: unknown, value: unknown, cell: string | undefined): boolean {
  if (isEmpty(now) && isEmpty(value)) return true;
  if (cell !== undefined && typeof now !== "object" && String(now) === cell) return true;
  return isDeepStrictEqual(now, value);
}

/**
 * What is to be sent of some fields: those that differ, of those that can be set. An empty cell and null leave a field as it is;
 * `asked`: what a person named for all things, whether it can be set or not.
 */
export function changedFields(
  now: object,
  { fields, cells = {} }: GivenFields,
  isSettable: (name: string) => boolean,
  asked: PartialChange = {},
): PartialChange {
  const { set: named = {}, unset = [] } = asked;
  const differs = ([name, value]: [string, unknown]): boolean =>
    !hasValue(valueAt(now, name), value, cells[name]);
  const given = Object.entries(fields).filter(
    ([name, value]) =>
      value !== null &&
      !Object.hasOwn(named, name) &&
      !unset.includes(name) &&
      isSettable(name.split(".", 1)[0]!),
  );
  const set = Object.fromEntries([...given, ...Object.entries(named)].filter(differs));
  const gone = unset.filter((name) => valueAt(now, name) !== undefined);
  return {
    ...(Object.keys(set).length > 0 && { set }),
    ...(gone.length > 0 && { unset: gone }),
  };
}
