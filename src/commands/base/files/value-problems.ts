/** Checks an object against its shape and lists every mistake with the path to it. */
import type { Field, Shape } from "../../../wire/entities/fields.ts";
import { isObject } from "../../../wire/json-object.ts";

type Path = readonly (string | number)[];

interface ValueProblem {
  path: Path;
  /** Continues a sentence after the path: `must be a text`. */
  message: string;
}

/** Kind → noun for messages and type check. */
const KINDS: Partial<Record<Field["kind"], readonly [string, (value: unknown) => boolean]>> = {
  text: ["a text", (value) => typeof value === "string"],
  id: ["a text", (value) => typeof value === "string"],
  time: ["a date", (value) => typeof value === "string" && !Number.isNaN(Date.parse(value))],
  flag: ["true or false", (value) => typeof value === "boolean"],
  whole: ["a whole number", Number.isInteger],
  limit: ["a whole number", Number.isInteger],
  number: ["a number", (value) => typeof value === "number"],
  list: ["a list", Array.isArray],
  map: ["an object", isObject],
  object: ["an object", isObject],
  filter: ["an object", isObject],
};

function* problemsOfValue(field: Field, value: unknown, path: Path): Iterable<ValueProblem> {
  if ((value === null && field.nulls) || (value === "" && field.blanks)) return;
  if (field.allowsId && typeof value === "string") return;
  const [noun, isValid] = KINDS[field.kind] ?? ["", () => true];
  if (!isValid(value)) return yield { path, message: `must be ${noun}` };
  if (field.kind === "choice" && !field.values!.includes(value as string))
    return yield { path, message: `must be one of ${field.values!.join(", ")}` };
  if (typeof value === "string" && field.max !== undefined && value.length > field.max)
    yield { path, message: `must hold at most ${field.max} characters` };
  if (typeof value === "number" && field.min !== undefined && value < field.min)
    yield { path, message: `must be at least ${field.min}` };
  if (field.kind !== "limit" && typeof value === "number" && field.max !== undefined && value > field.max)
    yield { path, message: `must be at most ${field.max}` };
  if (field.kind === "object") yield* valueProblems(field.shape!, value as object, path);
  if (field.kind === "map" && field.item)
    for (const [key, one] of Object.entries(value as object)) {
      const known = field.shape && Object.hasOwn(field.shape, key) ? field.shape[key] : undefined;
      yield* problemsOfValue(known ?? field.item, one, [...path, key]);
    }
  if (field.kind !== "list" || !Array.isArray(value)) return;
  if (field.max !== undefined && value.length > field.max)
    yield { path, message: `must hold at most ${field.max}` };
  if (field.item)
    for (const [i, one] of value.entries()) yield* problemsOfValue(field.item, one, [...path, i]);
}

/** Unknown keys are not checked here, see `strayKeys`. */
export function* valueProblems(shape: Shape, value: object, at: Path = []): Iterable<ValueProblem> {
  for (const [key, field] of Object.entries(shape)) {
    const one: unknown = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
    if (one === undefined) {
      if (field.required) yield { path: [...at, key], message: "is missing" };
    } else yield* problemsOfValue(field, one, [...at, key]);
  }
}
