/** Values as other clients write them: what counts as absent (`""`, null, the year 1), and objects and flags in other forms (specification/wire.md §12). */
import type { Field, FieldKind, Shape } from "./entities/fields.ts";
import { normalTime } from "./time.ts";
import { isObject } from "./json-object.ts";

/** The zero value of a time type, as some languages serialize it. */
export const isZeroTime = (value: unknown): boolean =>
  typeof value === "string" && value.startsWith("0001-") && normalTime(value) !== undefined;

const BLANK_IS_NONE: ReadonlySet<FieldKind> = new Set(["id", "choice", "whole", "time"]);

/** Whether a value counts as absent for its field. */
export function isAbsent(field: Field, value: unknown): boolean {
  if (value === undefined || field.kind === "ignored") return true;
  if (value === null) return field.nulls !== true;
  if (field.kind === "time" && isZeroTime(value)) return true;
  return (
    value === "" &&
    !field.required &&
    !field.blanks &&
    (field.allowsId === true || BLANK_IS_NONE.has(field.kind))
  );
}

/** An empty list where an object is meant: PHP writes both as `[]`. */
export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** `{}`, in either way to write it. */
export const isEmptyObject = (value: unknown): boolean =>
  isEmptyList(value) || (isObject(value) && Object.keys(value).length === 0);

const OBJECTS: ReadonlySet<FieldKind> = new Set(["object", "map", "filter"]);

/** The flag as `true`, `"True"` or, in a query, `1`; undefined for anything else. */
export function asFlag(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return undefined;
  if (/^(?:true|1)$/i.test(value)) return true;
  return /^(?:false|0|)$/i.test(value) ? false : undefined;
}

/** Makes a body what a plain client would send, as deep as the shape describes it: without absent values, with `{}` for `[]`. Keys without a row stay. */
export function normalizeBody(shape: Shape, body: Record<string, unknown>): void {
  for (const key of Object.keys(body)) {
    const field = key !== "*" && Object.hasOwn(shape, key) ? shape[key]! : undefined;
    if (!field) continue;
    if (isAbsent(field, body[key])) delete body[key];
    else normalizeAt(body, key, field);
  }
}

function normalizeAt(holder: Record<string, unknown>, key: string, field: Field): void {
  if (OBJECTS.has(field.kind) && isEmptyList(holder[key])) holder[key] = {};
  else dropInside(field, holder[key]);
}

function dropInside(field: Field, value: unknown): void {
  const { kind, shape, item } = field;
  if (shape && isObject(value)) (kind === "map" ? dropPaths : normalizeBody)(shape, value);
  if (kind === "map" && item && BLANK_IS_NONE.has(item.kind) && isObject(value))
    for (const key of Object.keys(value)) if (isAbsent(item, value[key])) delete value[key];
  if (!item?.shape || typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) normalizeAt(value as Record<string, unknown>, key, item);
}

/** Removes absent values from a partial update, by the row of each path; null stays, since it removes a value. */
function dropPaths(shape: Shape, set: Record<string, unknown>): void {
  for (const path of Object.keys(set)) {
    const field = fieldAt(shape, path);
    if (!field || set[path] === null || field.kind === "ignored") continue;
    if (isAbsent(field, set[path])) delete set[path];
    else normalizeAt(set, path, field);
  }
}

const own = (shape: Shape | undefined, key: string): Field | undefined =>
  shape && Object.hasOwn(shape, key) ? shape[key] : undefined;

function fieldAt(shape: Shape, path: string): Field | undefined {
  // No row is nested deeper than eight steps.
  const [first = "", ...steps] = path.split(".", 8);
  return steps.reduce(
    (field, step) => own(field?.shape, step) ?? (field?.kind === "map" ? field.item : undefined),
    own(shape, first),
  );
}
