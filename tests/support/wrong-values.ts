/** Data of a lying provider: valid values generated from the documented shapes, and every way to corrupt them. */
import type { Field, Shape } from "../../src/wire/entities/fields.ts";
import { shapeOf } from "../../src/wire/entities/index.ts";

type Json = Record<string, unknown>;

/** The rows that a reader checks; the time of a call and what may be anything are left out. */
export const rowsOf = (shape: Shape): [key: string, field: Field][] =>
  Object.entries(shape).filter(([key, { kind }]) => key !== "duration" && key !== "*" && kind !== "any");

export const isPromised = ({ required, nulls }: Field): boolean => required === true && !nulls;

/** A valid value of a field; objects have their required fields, three levels deep. */
export function sample(field: Field, depth = 0, bare = depth > 2): unknown {
  switch (field.kind) {
    case "number":
    case "whole":
      return 1;
    case "flag":
      return true;
    case "list":
      return [sample(field.item!, depth, bare)];
    case "map":
      return { key: sample(field.item!, depth, bare) };
    case "filter":
      return {};
    case "object":
      return sampleOf(shapeOf(field)!, depth, bare);
    case "any":
      return null;
    default:
      return "2026-11-22T00:00:00Z";
  }
}

const sampleOf = (shape: Shape, depth: number, bare: boolean): Json =>
  Object.fromEntries(
    rowsOf(shape)
      .filter(([, field]) => isPromised(field) || !bare)
      .map(([key, field]) => [key, depth > 8 ? null : sample(field, depth + 1, bare || depth > 1)]),
  );

/** Values as JSON texts: of every type, too large, and strings with a meaning in JavaScript or in a terminal. */
export const WRONG_VALUES: readonly string[] = [
  "null",
  "true",
  "5",
  "-1",
  "0.5",
  "1e308",
  "1e999",
  "[]",
  "{}",
  "[5]",
  "[null]",
  "[[]]",
  '{"__proto__":{"id":"x"}}',
  '{"constructor":{"prototype":{"id":"x"}}}',
  '{"length":1e9}',
  '""',
  '"never"',
  '"Infinity"',
  '"__proto__"',
  '"constructor"',
  '"messaging:"',
  '"\\u001b[2J\\u0000\\ud800"',
  '"9999-12-31T23:59:59.999999999Z"',
  '"0000-00-00T00:00:00Z"',
];

/** Placeholder in the JSON for the wrong value. */
const HERE = "@here@";

/** JSON texts of a value in which one key, up to three levels deep, is missing or wrong: `[what, text]`. */
export function* corruptedTexts(value: Json): Generator<[string, string]> {
  for (const path of paths(value, 3)) {
    const name = path.join(".");
    yield [`${name} missing`, JSON.stringify(changed(value, path, undefined))];
    const text = JSON.stringify(changed(value, path, HERE));
    for (const wrong of WRONG_VALUES) yield [`${name} = ${wrong}`, text.replace(`"${HERE}"`, () => wrong)];
  }
}

function* paths(value: unknown, deep: number): Generator<string[]> {
  if (deep === 0 || typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    if (key === "type" && deep === 3) continue;
    yield [key];
    for (const rest of paths((value as Json)[key], deep - 1)) yield [key, ...rest];
  }
}

function changed(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  const held = (value as Json)[key!];
  const next = rest.length ? changed(held, rest, to) : to;
  if (Array.isArray(value)) return value.map((one, at) => (String(at) === key ? next : one));
  return { ...(value as Json), [key!]: next };
}
