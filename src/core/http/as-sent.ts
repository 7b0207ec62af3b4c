/** Compares what a write sent with what the provider has: times as instants, ids with the entities they name, absent with empty. */
import { isObject } from "../../wire/json-object.ts";
import { compareTimes, normalTime } from "../../wire/time.ts";

const isNone = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

/** The value at a dotted path; of a mark such as `pinned` where only its time is stored, whether there is one. */
function valueAt(entity: unknown, path: string): unknown {
  if (!isObject(entity)) return undefined;
  if (entity[path] !== undefined) return entity[path];
  const [first = "", ...rest] = path.split(".");
  if (rest.length > 0) return valueAt(entity[first], rest.join("."));
  const at = entity[`${path}_at`];
  return at === undefined || at === null ? undefined : true;
}

export const isUnset = (entity: unknown, path: string): boolean => isNone(valueAt(entity, path));

const isSameTime = (stored: unknown, sent: string): boolean =>
  typeof stored === "string" && normalTime(sent) !== undefined && compareTimes(stored, sent) === 0;

/** Whether a stored value has everything of a sent one; it may have more. */
export function isAsSent(stored: unknown, sent: unknown): boolean {
  if (isNone(sent)) return isNone(stored);
  if (Array.isArray(sent))
    return (
      Array.isArray(stored) &&
      stored.length === sent.length &&
      sent.every((each, n) => isAsSent(stored[n], each))
    );
  if (isObject(sent))
    return (
      isObject(stored) && Object.entries(sent).every(([key, value]) => isAsSent(valueAt(stored, key), value))
    );
  if (isObject(stored)) return stored.id === sent;
  return Object.is(stored, sent) || (typeof sent === "string" && isSameTime(stored, sent));
}
