/** Shapes of answers as the protocol documents describe them, and how a value differs from its shape. */

import type { Field, Shape as WireShape } from "../../src/wire/entities/fields.ts";

type Kind = "text" | "date" | "flag" | "count" | "number" | "object" | "any" | "duration";
/** `[shape]` is a list, `{map: shape}` a map with free keys, `{oneOf: […]}` a choice of literals, `{or: […]}` of shapes, a function one that is made when it is used. */
export type Shape =
  | Kind
  | readonly [Shape]
  | { readonly map: Shape }
  | { readonly oneOf: readonly unknown[] }
  | { readonly or: readonly Shape[] }
  | (() => Shape)
  | Keys;
/** Key → shape; `key?` may be absent, a key `...` allows custom fields; any other key is a difference. */
export interface Keys {
  readonly [key: string]: Shape;
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

const IS: Record<Kind, (value: unknown) => boolean> = {
  text: (value) => typeof value === "string",
  date: (value) => typeof value === "string" && DATE.test(value),
  flag: (value) => typeof value === "boolean",
  count: (value) => Number.isInteger(value) && Number(value) >= 0,
  number: (value) => typeof value === "number",
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  duration: (value) => typeof value === "string" && /^\d+\.\d\dms$/.test(value),
  any: (value) => value !== undefined,
};

/** One line for each difference: the path and the shape expected there; empty when the value has the shape. */
export function differences(value: unknown, shape: Shape, at = ""): string[] {
  if (typeof shape === "function") return differences(value, shape(), at);
  if (typeof shape === "string")
    return IS[shape](value) ? [] : [`${at || "."} is no ${shape}: ${JSON.stringify(value)}`];
  if (Array.isArray(shape))
    return Array.isArray(value)
      ? value.flatMap((one, i) => differences(one, shape[0] as Shape, `${at}[${i}]`))
      : [`${at || "."} is no list: ${JSON.stringify(value)}`];
  const choice = shape as { map?: Shape; oneOf?: readonly unknown[]; or?: readonly Shape[] };
  if (choice.oneOf)
    return choice.oneOf.includes(value)
      ? []
      : [`${at} is none of ${JSON.stringify(choice.oneOf)}: ${JSON.stringify(value)}`];
  if (choice.or)
    return choice.or.some((one) => differences(value, one, at).length === 0)
      ? []
      : [`${at} fits none of its forms: ${JSON.stringify(value)}`];
  if (!IS.object(value)) return [`${at || "."} is no object: ${JSON.stringify(value)}`];
  const object = value as Record<string, unknown>;
  if (choice.map)
    return Object.entries(object).flatMap(([key, one]) => differences(one, choice.map!, `${at}.${key}`));
  const keys = shape as Keys;
  const found: string[] = [];
  for (const [written, inner] of Object.entries(keys)) {
    if (written === "...") continue;
    const optional = written.endsWith("?");
    const key = optional ? written.slice(0, -1) : written;
    if (object[key] === undefined) {
      if (!optional) found.push(`${at}.${key} is absent`);
    } else found.push(...differences(object[key], inner, `${at}.${key}`));
  }
  if (!("..." in keys))
    for (const key of Object.keys(object))
      if (!(key in keys) && !(`${key}?` in keys)) found.push(`${at}.${key} is not documented`);
  return found;
}

export const orNull = (shape: Shape): Shape => ({ or: [shape, { oneOf: [null] }] });

const KINDS: Partial<Record<Field["kind"], Kind>> = {
  time: "date",
  whole: "count",
  number: "number",
  flag: "flag",
  any: "any",
  filter: "object",
};

/** How the provider writes the values of a field; `entity` gives the shape of a named one. */
function strictly(field: Field, entity: (name: string) => Shape): Shape {
  const { kind, item, nulls, values, blanks } = field;
  const shape = ((): Shape => {
    if (kind === "list") return [strictly(item!, entity)];
    if (kind === "map") return item!.kind === "any" ? "object" : { map: strictly(item!, entity) };
    if (kind === "choice") return { oneOf: [...values!, ...(blanks ? [""] : [])] };
    if (kind !== "object") return KINDS[kind] ?? "text";
    return field.entity ? () => entity(field.entity!) : keysOf(field.shape!, { entity });
  })();
  return nulls ? orNull(shape) : shape;
}

/**
 * The keys of an object as the provider writes it: those that it always has although the protocol does not promise them, and
 * without those that it never has in this place. Custom fields are differences, so a test names the ones it sets.
 */
export function keysOf(
  shape: WireShape,
  { always = "", never = "", entity }: { always?: string; never?: string; entity: (name: string) => Shape },
  own: Keys = {},
): Keys {
  const [promised, absent] = [new Set(always.split(/\s+/)), new Set(never.split(/\s+/))];
  const ownKeys = new Set(Object.keys(own).map((key) => key.replace(/\?$/, "")));
  const rows = Object.entries(shape).filter(
    ([key, { kind }]) => kind !== "ignored" && key !== "*" && !absent.has(key) && !ownKeys.has(key),
  );
  const keys = rows.map(([key, field]): [string, Shape] => [
    field.required || promised.has(key) ? key : `${key}?`,
    strictly(field, entity),
  ]);
  return { ...Object.fromEntries(keys), ...own };
}
