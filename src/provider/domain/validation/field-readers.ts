/** Reads the value of each kind of field; problems are reported to the reader, and a wrong value becomes undefined. */
import { isObject } from "../../../wire/json-object.ts";
import type { Field, FieldKind, Shape } from "../../../wire/entities/fields.ts";

/** The object that contains the value; a getter returns undefined for an absent or wrong value and reports the problem. */
interface ObjectReader {
  fail(field: string, problem: string): undefined;
  raw(field: string): unknown;
  text(field: string, max?: number): string | undefined;
  flag(field: string): boolean | undefined;
  whole(field: string, min?: number, max?: number): number | undefined;
  decimal(field: string, min: number, max: number): number | undefined;
  limit(size: readonly [number, number], field: string): number;
  date(field: string): number | undefined;
  object(field: string): Record<string, unknown> | undefined;
  list(field: string, max: number): unknown[] | undefined;
  read(shape: Shape): Record<string, unknown>;
  tryRead(source: Record<string, unknown>, shape: Shape): Record<string, unknown> | undefined;
  within(source: Record<string, unknown>, path: string): ObjectReader;
  inside(field: string): ObjectReader;
}

type Reader = (check: ObjectReader, key: string, field: Field) => unknown;

/** `must be json or csv`, `must be one of a, b, c`. */
const oneOf = (values: readonly string[]): string =>
  values.length === 2 ? `must be ${values.join(" or ")}` : `must be one of ${values.join(", ")}`;

const readText: Reader = (check, key, { required, max, message }) => {
  const value = check.raw(key);
  if (typeof value !== "string") return check.fail(key, message ?? "must be a text");
  if (required && value.trim() === "") return check.fail(key, message ?? "must not be blank");
  return check.text(key, max);
};

const readChoice: Reader = (check, key, { values = [], required, blanks, message }) => {
  const value = check.raw(key);
  if (blanks && value === "") return value;
  if (typeof value !== "string") return check.fail(key, message ?? "must be a text");
  if (required && value.trim() === "") return check.fail(key, message ?? "must not be blank");
  return values.includes(value) ? value : check.fail(key, message ?? oneOf(values));
};

const TEXTS: ReadonlySet<FieldKind> = new Set(["text", "id", "choice"]);

const readList: Reader = (check, key, { item: itemField, max = Infinity, required, message }) => {
  const list = check.list(key, max);
  if (!list || !itemField) return list;
  if (required && message && list.length === 0) return check.fail(key, message);
  if (TEXTS.has(itemField.kind) && !list.every((item) => typeof item === "string"))
    return check.fail(key, "must be a list of texts");
  return itemField.shape ? readEntries(check, key, list.entries(), itemField) : list;
};

function readEntries(
  check: ObjectReader,
  key: string,
  entries: Iterable<[string | number, unknown]>,
  itemField: Field,
): unknown[] {
  const read: unknown[] = [];
  for (const [index, entry] of entries) {
    if (itemField.allowsId && typeof entry === "string") read.push(entry);
    else if (isObject(entry)) read.push(check.within(entry, `${key}.${index}`).read(itemField.shape!));
    else check.fail(`${key}.${index}`, itemField.message ?? "must be an object");
  }
  return read;
}

/** An object whose field has a `message` is refused as a whole. */
const readObject: Reader = (check, key, { shape = {}, allowsId, message }) => {
  const value = check.raw(key);
  if (allowsId && typeof value === "string") return value;
  if (!message) return check.object(key) && check.inside(key).read(shape);
  return (isObject(value) && check.tryRead(value, shape)) || check.fail(key, message);
};

export const readers: Readonly<Record<FieldKind, Reader>> = {
  text: readText,
  id: readText,
  choice: readChoice,
  flag: (check, key) => check.flag(key),
  whole: (check, key, { min, max }) => check.whole(key, min, max),
  number: (check, key, { min = -Infinity, max = Infinity }) => check.decimal(key, min, max),
  limit: (check, key, { default: initial = 0, max = 0 }) => check.limit([initial, max], key),
  time: (check, key) => check.date(key),
  list: readList,
  map: (check, key) => check.object(key),
  object: readObject,
  filter: (check, key) => check.raw(key),
  sort: (check, key) => check.raw(key),
  any: (check, key) => check.raw(key),
  custom: () => undefined,
  ignored: () => undefined,
};

const rowsByShape = new WeakMap<Shape, readonly (readonly [string, Field])[]>();

/** The fields of a shape that are read, cached. */
export function readableRows(shape: Shape): readonly (readonly [string, Field])[] {
  const cached = rowsByShape.get(shape);
  if (cached) return cached;
  const rows = Object.entries(shape).filter(([, field]) => field.kind !== "ignored");
  rowsByShape.set(shape, rows);
  return rows;
}

const BLANKS: Partial<Record<FieldKind, unknown>> = { flag: false, whole: 0, number: 0, time: 0 };

/** The placeholder of a required value that is missing or wrong, so that reading continues and finds further problems. */
export function blankOf({ kind, shape }: Field): unknown {
  if (kind === "list") return [];
  if (kind === "map" || kind === "any" || kind === "filter") return {};
  if (kind === "object")
    return Object.fromEntries(
      Object.entries(shape ?? {}).flatMap(([key, field]) => (field.required ? [[key, blankOf(field)]] : [])),
    );
  return BLANKS[kind] ?? "";
}

/** The default of an absent field, such as a page size. */
export const valueWhenAbsent = ({ default: initial }: Field): unknown => initial;
