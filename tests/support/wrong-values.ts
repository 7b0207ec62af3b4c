/** Data of a lying provider: valid values generated from the documented shapes, and every way to corrupt them. */
import { ENTITIES } from "../../src/wire/replies.ts";

type Row = { key: string; needed: boolean; kind: string };
type Json = Record<string, unknown>;

export const rowsOf = (row: string): Row[] =>
  row
    .split(" ")
    .filter(Boolean)
    .map((one) => {
      const [, key = "", mark, kind = ""] = /^(\w+)([!?])(.*)$/.exec(one) ?? [];
      return { key, needed: mark === "!", kind };
    });

/** A value of a kind as written in the shapes; entities have their required fields, three levels deep. */
export function sample(kind: string, depth = 0, bare = depth > 2): unknown {
  switch (kind[0]) {
    case "t":
      return "2026-11-22T00:00:00Z";
    case "n":
      return 1;
    case "b":
      return true;
    case "l":
      return [sample(kind.slice(1), depth, bare)];
    case "m":
      return { key: sample(kind.slice(1), depth, bare) };
    case "o":
      return entity(kind.slice(2), depth, bare);
    default:
      return null;
  }
}

function entity(name: string, depth: number, bare: boolean): Json {
  const rows = rowsOf(ENTITIES[name] ?? "").filter(({ needed }) => needed || !bare);
  return Object.fromEntries(
    rows.map(({ key, kind }) => [key, depth > 8 ? null : sample(kind, depth + 1, bare || depth > 1)]),
  );
}

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
