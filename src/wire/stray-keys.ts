/** Finds unknown keys of a body, which a provider would silently ignore. */
import type { Field, Shape } from "./entities/fields.ts";
import { isObject } from "./json-object.ts";

/** The dotted paths of unknown keys, in order; an object with custom fields has none. */
export function strayKeys(shape: Shape, value: unknown, prefix = ""): string[] {
  if (!isObject(value)) return [];
  const custom = shape["*"] !== undefined;
  return Object.entries(value).flatMap(([key, part]) => {
    const field = key !== "*" && Object.hasOwn(shape, key) ? shape[key]! : undefined;
    const path = prefix === "" ? key : `${prefix}.${key}`;
    return field ? inField(field, part, path) : custom ? [] : [path];
  });
}

function inField({ kind, shape, item: itemField }: Field, value: unknown, path: string): string[] {
  if (kind === "object") return strayKeys(shape!, value, path);
  if (kind === "list" && Array.isArray(value))
    return value.flatMap((item, i) => (itemField ? inField(itemField, item, `${path}.${i}`) : []));
  if (kind === "map" && itemField && !shape && typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, item]) => inField(itemField, item, `${path}.${key}`));
  return [];
}

/** The keys of the shape at this path; empty if it is open or does not exist. */
export function keysAt(shape: Shape, path: readonly string[]): string[] {
  const [key, ...rest] = path;
  if (key === undefined) return Object.keys(shape).filter((name) => name !== "*");
  let field: Field | undefined = shape[key];
  while (field && (field.kind === "list" || (field.kind === "map" && !field.shape))) {
    rest.shift();
    field = field.item;
  }
  return field?.kind === "object" ? keysAt(field.shape!, rest) : [];
}
