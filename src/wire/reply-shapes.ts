/** Checks that an answer or event has the promised shape: required keys, kinds, entities in lists. */
import { flag, list, map, need, number, object, text, type Field, type Shape } from "./entities/fields.ts";
import { ENTITIES, EVENTS, REPLIES } from "./replies.ts";
import { isObject } from "./json-object.ts";

const cache = new Map<string, Shape>();

/** The rows of an entity, created on first use because entities refer to one another. */
function entity(name: string): Shape {
  let shape = cache.get(name);
  if (!shape) cache.set(name, (shape = shapeOf(ENTITIES[name] ?? "")));
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
    rows.map((entry) => {
      const [, key = "", mark, kind = ""] = /^(\w+)([!?])(.*)$/.exec(entry) ?? [];
      return [key, mark === "!" ? need(fieldOf(kind)) : fieldOf(kind)];
    }),
  );
}

/** Entities are checked to this depth; nothing relies on deeper values. */
const MAX_ENTITY_DEPTH = 6;
/** Keys that an entity must have; other single values may be missing, and missing lists become empty. */
const IDENTITY = /^(id|cid|type|user_id|channel|user|message)$/;
/** Whether an entity must have a key: entities with an id are ordered by `created_at`, others need no time. */
const needs = (shape: Shape, key: string): boolean =>
  IDENTITY.test(key) || (key === "created_at" && shape.id !== undefined);

/** A secondary list, such as the pins of a channel, without which the answer is still usable. */
const isSide = (shape: Shape, field: Field): boolean =>
  field.kind === "list" && Object.values(shape).some((other) => other.required && other.kind === "object");

const KINDS: Readonly<Record<string, { is(value: unknown): boolean; expected: string }>> = {
  text: { is: (value) => typeof value === "string", expected: "a text" },
  number: { is: Number.isFinite, expected: "a number" },
  flag: { is: (value) => typeof value === "boolean", expected: "true or false" },
  list: { is: Array.isArray, expected: "a list" },
  map: { is: isObject, expected: "an object" },
  object: { is: isObject, expected: "an object" },
};

/** Returns the path of the first fault; paths are built only on failure, since faults are rare. */
function inValue(field: Field, value: unknown, depth: number): string | undefined {
  const kind = KINDS[field.kind];
  if (!kind) return undefined;
  if (!kind.is(value)) return ` must be ${kind.expected}`;
  if (field.kind === "object") return inEntity(field.shape!, value as Record<string, unknown>, depth + 1);
  if (!field.item || field.item.kind === "any") return undefined;
  const entries = field.kind === "list" ? (value as unknown[]).entries() : Object.entries(value as object);
  for (const [key, entry] of entries) {
    const problem = inValue(field.item, entry, depth);
    if (problem) return `[${JSON.stringify(key)}]${problem}`;
  }
  return undefined;
}

function inEntity(shape: Shape, value: Record<string, unknown>, depth: number): string | undefined {
  if (depth > MAX_ENTITY_DEPTH) return undefined;
  for (const key in shape) {
    const field = shape[key]!;
    const entry = value[key];
    if (entry === undefined || entry === null) {
      if (!field.required) continue;
      // Some languages write an empty list as null; an answer without the key is not of this protocol.
      const empty = entry === null && field.kind === "list";
      if (!empty && ((depth === 0 && !isSide(shape, field)) || needs(shape, key)))
        return `.${key} is missing`;
      if (field.kind === "list") value[key] = [];
      else if (field.kind === "map") value[key] = {};
      else if (field.kind === "object") fill(field.shape!, value, key, depth);
      continue;
    }
    const problem = inValue(field, entry, depth);
    if (!problem) continue;
    // An invalid optional value is dropped instead of the whole answer, since members can write some of them.
    if (depth > 0 && !field.required) delete value[key];
    else return `.${key}${problem}`;
  }
  return undefined;
}

/** Fills in missing lists and objects that may be empty. */
function fill(shape: Shape, value: Record<string, unknown>, key: string, depth: number): void {
  const filled = {};
  if (inEntity(shape, filled, depth + 1) === undefined) value[key] = filled;
}

const replies = new Map<string, Shape>();
const events = new Map<string, Shape>();

const shapeIn = (shapes: Map<string, Shape>, name: string, row: () => string): Shape => {
  let shape = shapes.get(name);
  if (!shape) shapes.set(name, (shape = shapeOf(row())));
  return shape;
};

/** Why the answer of an endpoint is invalid, or undefined. Fills in missing lists and objects of entities, and drops their invalid optional values. */
export const replyProblem = (name: string, reply: Record<string, unknown>): string | undefined =>
  inEntity(
    shapeIn(replies, name, () => REPLIES[name] ?? ""),
    reply,
    0,
  )?.slice(1);

/** Like `replyProblem`, for an event. Of an unknown event only the envelope is checked, and no key is required. */
export function eventProblem(event: { type: string }): string | undefined {
  const name = Object.hasOwn(EVENTS, event.type) ? event.type : "";
  const shape = shapeIn(events, name, () => `${ENTITIES.EventEnvelope} ${EVENTS[name] ?? ""}`);
  return inEntity(shape, event as unknown as Record<string, unknown>, 0)?.slice(1);
}
