/** What counts as absent in a request (README §4): clients in languages with typed fields send `""`, the year 1 and null for what nobody set. */
import type { Field, Kind, Shape } from "./fields.ts";
import { normalTime } from "./time.ts";

/** Languages write the zero of their time type so. */
export const isZeroTime = (value: unknown): boolean =>
  typeof value === "string" && value.startsWith("0001-") && normalTime(value) !== undefined;

const BLANK_IS_NONE: ReadonlySet<Kind> = new Set(["id", "choice", "whole", "time"]);

/** A value of the row that says nothing. */
export function isAbsent(field: Field, value: unknown): boolean {
  if (value === undefined || field.kind === "ignored") return true;
  if (value === null) return field.nulls !== true;
  if (field.kind === "time" && isZeroTime(value)) return true;
  return (
    value === "" &&
    !field.needed &&
    !field.blanks &&
    (field.idAlone === true || BLANK_IS_NONE.has(field.kind))
  );
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Takes out of a body what counts as absent, however deep the shape describes it; keys without a row stay. */
export function dropAbsent(shape: Shape, body: Record<string, unknown>): void {
  for (const key of Object.keys(body)) {
    const field = key !== "*" && Object.hasOwn(shape, key) ? shape[key]! : undefined;
    if (!field) continue;
    if (isAbsent(field, body[key])) delete body[key];
    else dropInside(field, body[key]);
  }
}

function dropInside(field: Field, value: unknown): void {
  if (field.shape && isObject(value)) dropAbsent(field.shape, value);
  const { of } = field;
  if (!of?.shape || typeof value !== "object" || value === null) return;
  for (const entry of Object.values(value)) dropInside(of, entry);
}
