/** JSON with its keys in order, so that equal values are equal texts. */
import { isObject } from "../validation/check.ts";

export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
