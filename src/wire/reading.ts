/** Checks that an answer or event has the promised shape: required keys, kinds, entities in lists. */
import { optional, type Field, type Shape } from "./entities/fields.ts";
import { shapeOf } from "./entities/index.ts";
import { EVENTS, EventEnvelope } from "./events.ts";
import { isObject } from "./json-object.ts";

/** Entities are checked to this depth; nothing relies on deeper values. */
const MAX_ENTITY_DEPTH = 6;
/** Keys that an entity must have; other single values may be missing, and missing lists become empty. */
const IDENTITY = /^(id|cid|type|user_id|channel|user|message)$/;
/** Whether an entity must have a key: entities with an id are ordered by `created_at`, others need no time. */
const needs = (shape: Shape, key: string): boolean =>
  IDENTITY.test(key) || (key === "created_at" && shape.id !== undefined);

/** Whether a row has a value in every object: null stands for none. */
const isPromised = ({ required, nulls }: Field): boolean => required === true && !nulls;

/** A secondary list, such as the pins of a channel, without which the answer is still usable. */
const isSide = (shape: Shape, field: Field): boolean =>
  field.kind === "list" && Object.values(shape).some((other) => isPromised(other) && other.kind === "object");

const A_TEXT = { is: (value: unknown) => typeof value === "string", expected: "a text" };
const A_NUMBER = { is: Number.isFinite, expected: "a number" };
const AN_OBJECT = { is: isObject, expected: "an object" };
/** What the client relies on, of each kind: a number may be any, and a choice may have new values. */
const KINDS: Partial<Record<Field["kind"], { is(value: unknown): boolean; expected: string }>> = {
  text: A_TEXT,
  id: A_TEXT,
  choice: A_TEXT,
  time: A_TEXT,
  whole: A_NUMBER,
  number: A_NUMBER,
  flag: { is: (value) => typeof value === "boolean", expected: "true or false" },
  list: { is: Array.isArray, expected: "a list" },
  map: AN_OBJECT,
  filter: AN_OBJECT,
  object: AN_OBJECT,
};

/** Returns the path of the first fault; paths are built only on failure, since faults are rare. */
function inValue(field: Field, value: unknown, depth: number): string | undefined {
  const kind = KINDS[field.kind];
  if (!kind) return undefined;
  if (!kind.is(value)) return ` must be ${kind.expected}`;
  if (field.kind === "object") return inEntity(shapeOf(field)!, value as Record<string, unknown>, depth + 1);
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
    // The time a call took is in every answer, and nothing depends on it.
    if (depth === 0 && key === "duration") continue;
    const field = shape[key]!;
    const entry = value[key];
    if (entry === undefined || entry === null) {
      const problem = isPromised(field) ? fillIn(shape, value, key, depth) : undefined;
      if (problem) return problem;
      continue;
    }
    const problem = inValue(field, entry, depth);
    if (!problem) continue;
    // An invalid optional value is dropped instead of the whole answer, since members can write some of them.
    if (depth > 0 && !isPromised(field)) delete value[key];
    else return `.${key}${problem}`;
  }
  return undefined;
}

/** Fills in a missing list, or an object that may be empty; a problem where the entity is unusable without the key. */
function fillIn(
  shape: Shape,
  value: Record<string, unknown>,
  key: string,
  depth: number,
): string | undefined {
  const field = shape[key]!;
  if (!KINDS[field.kind]) return undefined;
  // Some languages write an empty list as null; an answer without the key is not of this protocol.
  const empty = value[key] === null && field.kind === "list";
  if (!empty && ((depth === 0 && !isSide(shape, field)) || needs(shape, key))) return `.${key} is missing`;
  const filled = {};
  if (field.kind === "list") value[key] = [];
  else if (field.kind === "map") value[key] = {};
  else if (field.kind === "object" && !inEntity(shapeOf(field)!, filled, depth + 1)) value[key] = filled;
  return undefined;
}

/** Why the answer to a call is invalid, or undefined. Fills in missing lists and objects of entities, and drops their invalid optional values. */
export const answerProblem = (shape: Shape, answer: Record<string, unknown>): string | undefined =>
  inEntity(shape, answer, 0)?.slice(1);

const events = new Map<string, Shape>();

/** Like `answerProblem`, for an event. Of an unknown event only the envelope is checked, and no key is required. */
export function eventProblem(event: { type: string }): string | undefined {
  const name = Object.hasOwn(EVENTS, event.type) ? (event.type as keyof typeof EVENTS) : "";
  let shape = events.get(name);
  if (!shape)
    events.set(name, (shape = optional({ ...EventEnvelope, ...(name !== "" && EVENTS[name]) }) as Shape));
  return inEntity(shape, event as unknown as Record<string, unknown>, 0)?.slice(1);
}
