/** Whether an answer is what its endpoint promises: required keys and kinds, entities in lists; the shapes are printed from the table's types. */
import { flag, list, map, need, number, object, text } from "./fields.ts";
import type { Field, Shape } from "./fields.ts";
import { ENTITIES, REPLIES } from "./replies.ts";

const made = new Map<string, Shape>();

/** The rows of an entity, made when they are first asked for: entities hold one another. */
function entity(name: string): Shape {
  let shape = made.get(name);
  if (!shape) made.set(name, (shape = shapeOf(ENTITIES[name] ?? "")));
  return shape;
}

function fieldOf(kind: string): Field {
  switch (kind[0]) {
    case "t":
      return text(Infinity);
    case "n":
      return number();
    case "b":
      return flag();
    case "l":
      return list(fieldOf(kind.slice(1)));
    case "m":
      return map(fieldOf(kind.slice(1)));
    case "o":
      return kind.length > 2
        ? {
            kind: "object",
            get shape() {
              return entity(kind.slice(2));
            },
          }
        : object({});
    default:
      return { kind: "any" };
  }
}

function shapeOf(row: string): Shape {
  const rows = row.split(" ").filter(Boolean);
  return Object.fromEntries(
    rows.map((one) => {
      const [, key = "", mark, kind = ""] = /^(\w+)([!?])(.*)$/.exec(one) ?? [];
      return [key, mark === "!" ? need(fieldOf(kind)) : fieldOf(kind)];
    }),
  );
}

/** Entities are looked into this deep; what lies below is nobody's to rely upon. */
const DEEPEST = 6;
/** What everything else hangs on; other single values of an entity may be missing, its lists are empty then. */
const IDENTITY = /^(id|cid|type|user_id|channel|user|message)$/;
/** What has an id is ordered by the time it was made; of anything else nobody needs to know it. */
const needs = (shape: Shape, key: string): boolean =>
  IDENTITY.test(key) || (key === "created_at" && shape.id !== undefined);

/** A list beside the one thing that is answered, such as the pins of a channel: without it the answer is still one. */
const isSide = (shape: Shape, field: Field): boolean =>
  field.kind === "list" && Object.values(shape).some((one) => one.needed && one.kind === "object");

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const KINDS: Readonly<Record<string, { is(value: unknown): boolean; says: string }>> = {
  text: { is: (value) => typeof value === "string", says: "a text" },
  number: { is: (value) => typeof value === "number", says: "a number" },
  flag: { is: (value) => typeof value === "boolean", says: "true or false" },
  list: { is: Array.isArray, says: "a list" },
  map: { is: isObject, says: "an object" },
  object: { is: isObject, says: "an object" },
};

function inValue(field: Field, value: unknown, at: string, depth: number): string | undefined {
  const kind = KINDS[field.kind];
  if (!kind) return undefined;
  if (!kind.is(value)) return `${at} must be ${kind.says}`;
  if (field.kind === "object") return inEntity(field.shape!, value as Record<string, unknown>, at, depth + 1);
  if (!field.of || field.of.kind === "any") return undefined;
  const entries = field.kind === "list" ? (value as unknown[]).entries() : Object.entries(value as object);
  for (const [key, entry] of entries) {
    const problem = inValue(field.of, entry, `${at}[${JSON.stringify(key)}]`, depth);
    if (problem) return problem;
  }
  return undefined;
}

function inEntity(
  shape: Shape,
  value: Record<string, unknown>,
  at: string,
  depth: number,
): string | undefined {
  if (depth > DEEPEST) return undefined;
  for (const key in shape) {
    const field = shape[key]!;
    const one = value[key];
    const name = at === "" ? key : `${at}.${key}`;
    if (one === undefined || one === null) {
      if (!field.needed) continue;
      if ((at === "" && !isSide(shape, field)) || needs(shape, key)) return `${name} is missing`;
      if (field.kind === "list") value[key] = [];
      else if (field.kind === "map") value[key] = {};
      continue;
    }
    const problem = inValue(field, one, name, depth);
    if (problem) return problem;
  }
  return undefined;
}

const replies = new Map<string, Shape>();

/** What is wrong with the answer of an endpoint, in words; undefined when it can be relied upon. Lists that are missing in an entity become empty ones. */
export function replyProblem(name: string, reply: Record<string, unknown>): string | undefined {
  let shape = replies.get(name);
  if (!shape) replies.set(name, (shape = shapeOf(REPLIES[name] ?? "")));
  return inEntity(shape, reply, "", 0);
}
