/** Whether an object meets a filter of the protocol, evaluated on its values (specification/users.md §7). */
import { fitsWords, startsWord, wordsOf } from "../../../text/searched-words.ts";
import { FILTER_OPERATORS, type Filter, type FilterOperator } from "../../../wire/entities/query.ts";
import { isObject } from "../../../wire/json-object.ts";
import { normalTime } from "../../../wire/time.ts";

/** The value of a field; a list has several, and any of them may meet a condition. */
type ValueOf = (field: string) => unknown;

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
/** Times are compared as times, however they are written. */
const comparable = (value: unknown): unknown =>
  typeof value === "string" ? (normalTime(value) ?? value) : value;

function order(value: unknown, bound: unknown): number {
  const [a, b] = [comparable(value), comparable(bound)];
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== "string" || typeof b !== "string") return Number.NaN;
  return a < b ? -1 : Number(a > b);
}

const isSame = (value: unknown, wanted: unknown): boolean =>
  wanted === null ? value === undefined || value === null : comparable(value) === comparable(wanted);

/** A list as a whole is the same as another with the same items, such as the members of a direct channel. */
function equals(value: unknown, wanted: unknown): boolean {
  if (!Array.isArray(wanted)) return listOf(value).some((one) => isSame(one, wanted));
  return new Set(listOf(value)).symmetricDifference(new Set(wanted)).size === 0;
}

const isIn = (value: unknown, wanted: unknown): boolean =>
  listOf(wanted).some((one) => listOf(value).some((each) => isSame(each, one)));
const exists = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
const someText = (value: unknown, test: (text: string) => boolean): boolean =>
  listOf(value).some((one) => typeof one === "string" && test(one));

const TESTS: Readonly<Record<FilterOperator, (value: unknown, wanted: unknown) => boolean>> = {
  $eq: equals,
  $ne: (value, wanted) => !equals(value, wanted),
  $gt: (value, wanted) => order(value, wanted) > 0,
  $gte: (value, wanted) => order(value, wanted) >= 0,
  $lt: (value, wanted) => order(value, wanted) < 0,
  $lte: (value, wanted) => order(value, wanted) <= 0,
  $in: isIn,
  $nin: (value, wanted) => !isIn(value, wanted),
  $exists: (value, wanted) => exists(value) === Boolean(wanted),
  $contains: isIn,
  $autocomplete: (value, wanted) => someText(value, (text) => startsWord(text, String(wanted))),
  $q: (value, wanted) => {
    const searched = wordsOf(String(wanted));
    return searched.length > 0 && someText(value, (text) => fitsWords(wordsOf(text), searched));
  },
};

const isOperator = (key: string): key is FilterOperator => FILTER_OPERATORS.includes(key as FilterOperator);

const fitsField = (value: unknown, test: unknown): boolean =>
  isObject(test)
    ? Object.entries(test).every(([key, wanted]) => isOperator(key) && TESTS[key](value, wanted))
    : equals(value, test);

/** An operator that the protocol does not have is met by nothing. */
export function fitsFilter(filter: Filter, valueOf: ValueOf): boolean {
  return Object.entries(filter).every(([key, test]) => {
    const parts = Array.isArray(test) ? (test as Filter[]) : [];
    if (key === "$and") return parts.every((part) => fitsFilter(part, valueOf));
    if (key === "$or") return parts.some((part) => fitsFilter(part, valueOf));
    if (key === "$nor") return !parts.some((part) => fitsFilter(part, valueOf));
    return fitsField(valueOf(key), test);
  });
}

/** The value at a path of an object, of every item where a list is on the way. */
export function valueOfField(object: object, field: string): unknown {
  return field.split(".").reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at.flatMap((one) => (isObject(one) ? [one[key]] : []));
    return isObject(at) ? at[key] : undefined;
  }, object);
}

/** The texts that a field must equal, where a filter asks for nothing else of it: its value, or those of `$eq` and `$in`. */
export function namedBy(test: unknown): string[] | undefined {
  const isText = (value: unknown): value is string => typeof value === "string";
  if (isText(test)) return [test];
  const [[key, wanted] = [], ...more] = isObject(test) ? Object.entries(test) : [];
  if (more.length > 0) return undefined;
  if (key === "$eq" && isText(wanted)) return [wanted];
  return key === "$in" && Array.isArray(wanted) && wanted.every(isText) ? wanted : undefined;
}
