/** Prints the rows of a body as a TypeScript type, with what a type cannot say as comments. */
import { bodies, type BodyName } from "../../src/wire/bodies/index.ts";
import { acting } from "../../src/wire/bodies/frame.ts";
import type { Field, Shape } from "../../src/wire/fields.ts";

const TYPES: Partial<Record<Field["kind"], string>> = {
  text: "string",
  id: "string",
  time: "string",
  flag: "boolean",
  whole: "number",
  number: "number",
  limit: "number",
  filter: "Filter",
  sort: "Sort",
};

function typeOf(field: Field, indent: string): string {
  const { kind, values, item: of, shape, nulls, blanks, allowsId: idAlone } = field;
  const inner = of ? typeOf(of, indent) : "unknown";
  const type =
    field.type ??
    (values?.map((value) => JSON.stringify(value)).join(" | ") ||
      (kind === "list" ? `${/^(?:["\w.]+|\{[^]*\})$/.test(inner) ? inner : `(${inner})`}[]` : "") ||
      (kind === "map" ? `Record<string, ${inner}>` : "") ||
      (kind === "object" ? typeText(shape ?? {}, indent) : "") ||
      (TYPES[kind] ?? "unknown"));
  return [idAlone ? "string" : "", type, blanks && values ? '""' : "", nulls ? "null" : ""]
    .filter(Boolean)
    .join(" | ");
}

/** The bounds that the type cannot express. */
function bounds({ kind, min, max, default: initial }: Field): string {
  const from = min !== undefined && Number.isFinite(min) && min !== Number.MIN_SAFE_INTEGER;
  const to = max !== undefined && Number.isFinite(max) && max !== Number.MAX_SAFE_INTEGER;
  if (kind === "limit") return `${initial} without, at most ${max}`;
  if (kind === "time") return "a date";
  if (kind === "text" && to) return `at most ${max} characters`;
  if ((kind === "list" || kind === "map") && to) return `at most ${max}`;
  if (kind === "whole" || kind === "number")
    return from && to ? `${min} to ${max}` : from ? `at least ${min}` : to ? `at most ${max}` : "";
  if (kind === "custom" && to) return `custom fields, together at most ${max} bytes`;
  return "";
}

/** The type of an object, without ignored keys. */
export function typeText(shape: Shape, indent = ""): string {
  const hasActingUser = shape.user_id === acting.user_id && shape.user === acting.user;
  const deeper = `${indent}  `;
  const lines = Object.entries(shape)
    .filter(
      ([key, { kind }]) => kind !== "ignored" && !(hasActingUser && (key === "user" || key === "user_id")),
    )
    .map(([key, field]) => {
      const name = key === "*" ? "[custom: string]" : field.required ? key : `${key}?`;
      const boundsText = bounds(field);
      return `${deeper}${name}: ${typeOf(field, deeper)};${boundsText ? ` // ${boundsText}` : ""}`;
    });
  const object = lines.length ? `{\n${lines.join("\n")}\n${indent}}` : "";
  return [hasActingUser ? "Acting" : "", object].filter(Boolean).join(" & ") || "{}";
}

/** The body of an endpoint; undefined for one without rows. */
export const describedBody = (name: string): string | undefined =>
  Object.hasOwn(bodies, name) ? typeText(bodies[name as BodyName]) : undefined;
