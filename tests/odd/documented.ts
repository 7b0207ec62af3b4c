/** Judges by the documented shapes alone where a value is other than documented, so that a client which fills it in has to count it. */
import type { Field, Shape } from "../../src/wire/entities/fields.ts";
import { shapeOf } from "../../src/wire/entities/index.ts";
import { normalTime } from "../../src/wire/time.ts";
import { isPromised } from "../support/wrong-values.ts";

/** Entities deeper than this are used by nothing. */
const DEEPEST = 6;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value is of its kind; a choice may be new, and a date is of any form of RFC 3339. */
const IS: Partial<Record<Field["kind"], (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  id: (value) => typeof value === "string",
  choice: (value) => typeof value === "string",
  time: (value) => typeof value === "string" && normalTime(value) !== undefined,
  whole: Number.isFinite,
  number: Number.isFinite,
  flag: (value) => typeof value === "boolean",
  list: Array.isArray,
  map: isObject,
  filter: isObject,
  object: isObject,
};

/** A blank date or name stands for none. */
const isBlank = (key: string, { kind }: Field, entry: unknown): boolean =>
  entry === "" && (kind === "time" || /^c?id$/.test(key));

/** `channels.0.messages.2.user`: what is missing, or of another kind. Null stands for none, also for an empty list. */
export function oddPlaces(shape: Shape, value: Record<string, unknown>, at = "", depth = 0): string[] {
  if (depth > DEEPEST) return [];
  return Object.entries(shape).flatMap(([key, field]) => {
    if (key === "*" || (depth === 0 && key === "duration")) return [];
    const path = at === "" ? key : `${at}.${key}`;
    const entry = value[key];
    if (entry === undefined || entry === null || isBlank(key, field, entry)) {
      const isNone = !isPromised(field) || (entry === null && field.kind === "list");
      return isNone ? [] : [path];
    }
    return oddIn(field, entry, path, depth);
  });
}

function oddIn(field: Field, value: unknown, at: string, depth: number): string[] {
  const is = IS[field.kind];
  if (!is) return [];
  if (!is(value)) return [at];
  if (field.kind === "object")
    return oddPlaces(shapeOf(field)!, value as Record<string, unknown>, at, depth + 1);
  if (!field.item || (field.kind !== "list" && field.kind !== "map")) return [];
  return Object.entries(value as object).flatMap(([key, entry]) =>
    oddIn(field.item!, entry, `${at}.${key}`, depth),
  );
}
