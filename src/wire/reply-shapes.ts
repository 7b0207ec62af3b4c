/** Checks that an answer or event has the promised shape: required keys, kinds, entities in lists. */
import { flag, list, map, need, number, object, text, type Field, type Shape } from "./fields.ts";
import { ENTITIES, EVENTS, REPLIES } from "./replies.ts";
import { isObject } from "./json-object.ts";

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

const KINDS: Readonly<Record<string, { is(value: unknown): boolean; says: string }>> = {
  text: { is: (value) => typeof value === "string", says: "a text" },
  number: { is: Number.isFinite, says: "a number" },
  flag: { is: (value) => typeof value === "boolean", says: "true or false" },
  list: { is: Array.isArray, says: "a list" },
  map: { is: isObject, says: "an object" },
  object: { is: isObject, says: "an object" },
};

/** Names are put together on the way back from what is wrong: nearly always nothing is. */
function inValue(field: Field, value: unknown, depth: number): string | undefined {
  const kind = KINDS[field.kind];
  if (!kind) return undefined;
  if (!kind.is(value)) return ` must be ${kind.says}`;
  if (field.kind === "object") return inEntity(field.shape!, value as Record<string, unknown>, depth + 1);
  if (!field.of || field.of.kind === "any") return undefined;
  const entries = field.kind === "list" ? (value as unknown[]).entries() : Object.entries(value as object);
  for (const [key, entry] of entries) {
    const problem = inValue(field.of, entry, depth);
    if (problem) return `[${JSON.stringify(key)}]${problem}`;
  }
  return undefined;
}

function inEntity(shape: Shape, value: Record<string, unknown>, depth: number): string | undefined {
  if (depth > DEEPEST) return undefined;
  for (const key in shape) {
    const field = shape[key]!;
    const one = value[key];
    if (one === undefined || one === null) {
      if (!field.needed) continue;
      // Some languages write an empty list as null; an answer that lacks it altogether is somebody else's.
      const empty = one === null && field.kind === "list";
      if (!empty && ((depth === 0 && !isSide(shape, field)) || needs(shape, key)))
        return `.${key} is missing`;
      if (field.kind === "list") value[key] = [];
      else if (field.kind === "map") value[key] = {};
      else if (field.kind === "object") fill(field.shape!, value, key, depth);
      continue;
    }
    const problem = inValue(field, one, depth);
    if (!problem) continue;
    // What an entity need not hold must not cost all that stands beside it: a member can write some of it.
    if (depth > 0 && !field.needed) delete value[key];
    else return `.${key}${problem}`;
  }
  return undefined;
}

/** An object that may be empty is so when it is missing. */
function fill(shape: Shape, value: Record<string, unknown>, key: string, depth: number): void {
  const made = {};
  if (inEntity(shape, made, depth + 1) === undefined) value[key] = made;
}

const replies = new Map<string, Shape>();
const events = new Map<string, Shape>();

const shapeIn = (made: Map<string, Shape>, name: string, row: () => string): Shape => {
  let shape = made.get(name);
  if (!shape) made.set(name, (shape = shapeOf(row())));
  return shape;
};

/** What is wrong with the answer of an endpoint, in words; undefined when it can be relied upon. Lists and objects that are missing in an entity become empty ones, and what is wrong there and need not be there is left out. */
export const replyProblem = (name: string, reply: Record<string, unknown>): string | undefined =>
  inEntity(
    shapeIn(replies, name, () => REPLIES[name] ?? ""),
    reply,
    0,
  )?.slice(1);

/** The same of an event. Of one that nobody here knows only the envelope is looked at, and no key need be there. */
export function eventProblem(event: { type: string }): string | undefined {
  const name = Object.hasOwn(EVENTS, event.type) ? event.type : "";
  const shape = shapeIn(events, name, () => `${ENTITIES.EventEnvelope} ${EVENTS[name] ?? ""}`);
  return inEntity(shape, event as unknown as Record<string, unknown>, 0)?.slice(1);
}
