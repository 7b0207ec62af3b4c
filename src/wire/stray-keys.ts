/** Finds keys that a body does not have: a provider ignores them, so a typo would silently change nothing. */
import type { Field, Shape } from "./fields.ts";
import { isObject } from "./json-object.ts";

/** Their dotted paths, in the order they stand; an object that takes custom fields has none. */
export function strayKeys(shape: Shape, value: unknown, at = ""): string[] {
  if (!isObject(value)) return [];
  const custom = shape["*"] !== undefined;
  return Object.entries(value).flatMap(([key, part]) => {
    const field = key !== "*" && Object.hasOwn(shape, key) ? shape[key]! : undefined;
    const path = at === "" ? key : `${at}.${key}`;
    return field ? inField(field, part, path) : custom ? [] : [path];
  });
}

function inField({ kind, shape, of }: Field, value: unknown, at: string): string[] {
  if (kind === "object") return strayKeys(shape!, value, at);
  if (kind === "list" && Array.isArray(value))
    return value.flatMap((one, i) => (of ? inField(of, one, `${at}.${i}`) : []));
  if (kind === "map" && of && !shape && typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, one]) => inField(of, one, `${at}.${key}`));
  return [];
}

/** The keys that the shape at this path has; none where it is open or there is no such place. */
export function keysAt(shape: Shape, path: readonly string[]): string[] {
  const [key, ...rest] = path;
  if (key === undefined) return Object.keys(shape).filter((name) => name !== "*");
  let field: Field | undefined = shape[key];
  while (field && (field.kind === "list" || (field.kind === "map" && !field.shape))) {
    rest.shift();
    field = field.of;
  }
  return field?.kind === "object" ? keysAt(field.shape!, rest) : [];
}
