/** Reads answers and events that may be a little other than the protocol: fills what is missing, else drops the entity, and counts both. */
import { derivedValue } from "./derived.ts";
import { optional, type Field, type Shape } from "./entities/fields.ts";
import { shapeOf } from "./entities/index.ts";
import { EVENTS, EventEnvelope } from "./events.ts";
import { isObject } from "./json-object.ts";
import { rememberRaw } from "./raw-items.ts";
import { isTime } from "./time.ts";

/** Entities are checked to this depth; nothing relies on deeper values. */
const MAX_ENTITY_DEPTH = 6;
/** Keys that an entity must have; other single values may be missing, and missing lists become empty. */
const IDENTITY = /^(id|cid|type|user_id|channel|user|message|target)$/;

/** Keys that name the entity, or a page: blank ones name nothing. */
const NAMES_IT = /^(?:c?id|next|prev)$/;
const isBlank = (key: string, { kind }: Field, entry: unknown): boolean =>
  entry === "" && (kind === "time" || NAMES_IT.test(key));

/** Receives `messages.user` for each value that was filled in, changed or left out; `lost`: something that was sent, or should have been, is not shown. */
export type NoteOddity = (field: string, lost?: boolean) => void;

type Values = Record<string, unknown>;
/** An object that is read: its key in what holds it, how deep it is, and where oddities are noted. */
interface Place {
  name: string;
  depth: number;
  holder: Values;
  note: NoteOddity;
}

/** Whether an entity must have a key: entities with an id are ordered by `created_at`, others need no time. */
const needs = (shape: Shape, key: string): boolean =>
  IDENTITY.test(key) || (key === "created_at" && shape.id !== undefined);

/** Whether a row has a value in every object: null stands for none. */
const isPromised = ({ required, nulls }: Field): boolean => required === true && !nulls;

const TRUTHS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [1, true],
  [0, false],
  ["true", true],
  ["false", false],
]);
const A_TEXT = {
  is: (value: unknown) => typeof value === "string",
  expected: "a text",
  from: (value: unknown) => (typeof value === "number" ? String(value) : undefined),
};
const A_NUMBER = {
  is: Number.isFinite,
  expected: "a number",
  from: (value: unknown) =>
    typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined,
};
const AN_OBJECT = {
  is: isObject,
  expected: "an object",
  // How PHP writes an empty object.
  from: (value: unknown) => (Array.isArray(value) && value.length === 0 ? {} : undefined),
};
interface Kind {
  is(value: unknown): boolean;
  expected: string;
  /** The value that another form of it stands for. */
  from(value: unknown): unknown;
}
/** What the client relies on, of each kind: a number may be any, and a choice may have new values. */
const KINDS: Partial<Record<Field["kind"], Kind>> = {
  text: A_TEXT,
  id: A_TEXT,
  choice: A_TEXT,
  time: { is: isTime, expected: "a time", from: () => undefined },
  whole: A_NUMBER,
  number: A_NUMBER,
  flag: {
    is: (value) => typeof value === "boolean",
    expected: "true or false",
    from: (value) => TRUTHS.get(value),
  },
  list: { is: Array.isArray, expected: "a list", from: () => undefined },
  map: AN_OBJECT,
  filter: AN_OBJECT,
  object: AN_OBJECT,
};

/** List → the places of its entries that were left out, and whether something is lost with it: a repeated one is there once. */
const leftOut = new WeakMap<readonly unknown[], ReadonlyMap<number, boolean>>();
const NONE: ReadonlyMap<number, boolean> = new Map();
const droppedAt = (list: readonly unknown[]): ReadonlyMap<number, boolean> => leftOut.get(list) ?? NONE;

/** How many entries a list had when it was received, whatever of them cannot be used or is there again. */
export const receivedLength = (list: readonly unknown[]): number => list.length + droppedAt(list).size;

/** The same without those that are there again. */
export const distinctLength = (list: readonly unknown[]): number => {
  let length = list.length;
  for (const isLost of droppedAt(list).values()) if (isLost) length++;
  return length;
};

/** The place that an entry had when the list was received. */
export function receivedPlace(list: readonly unknown[], index: number): number {
  const dropped = droppedAt(list);
  let place = 0;
  for (let left = index; left > 0 || dropped.has(place); place++) if (!dropped.has(place)) left--;
  return place;
}

/** Maps a list; what was left out of it counts in the `receivedLength` of the result as well. */
export function mapReceived<T, R>(list: readonly T[], to: (item: T) => R): R[] {
  const mapped = list.map(to);
  leftOut.set(mapped, droppedAt(list));
  return mapped;
}

/** Marks objects that stand for what the answer to a finished write does not say; copies of them, too. */
const PLACEHOLDER = Symbol("placeholder");

/** Whether the provider did not send this object, so that nothing may be learned from it. */
export const isPlaceholder = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, PLACEHOLDER);

const at = (entity: Values, path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), entity);
/** The values at some paths as one name; without the first there is none. */
const named =
  (...paths: readonly string[]) =>
  (entity: Values): string | undefined => {
    const values = paths.map((path) => (path.includes(".") ? at(entity, path) : entity[path]));
    return values[0] === undefined ? undefined : values.join(" ");
  };
const byId = ({ id }: Values): string | undefined => id as string | undefined;
const NAMED_BY = {
  messages: byId,
  pinned_messages: byId,
  users: byId,
  watchers: byId,
  polls: byId,
  votes: byId,
  devices: byId,
  campaigns: byId,
  segments: byId,
  flag_reports: byId,
  import_tasks: byId,
  channels: named("channel.cid"),
  results: named("message.id"),
  members: named("user_id"),
  threads: named("parent_message_id"),
  reminders: named("message_id"),
  active_live_locations: named("message_id"),
  reactions: named("user_id", "type"),
  drafts: named("channel_cid", "parent_id"),
  blocks: named("blocked_user_id"),
  mutes: named("target.id"),
  channel_mutes: named("channel.cid"),
  bans: named("user.id", "channel.cid", "banned_by.id"),
  flags: named("message.id", "user.id", "created_at"),
  targets: named("target_id"),
  message_history: named("message_id", "message_updated_at"),
} satisfies Record<string, (entity: Values) => string | undefined>;

/** What names an item of the lists of this name: the same one twice is one. */
export const itemName =
  (list: keyof typeof NAMED_BY) =>
  (item: object): string | undefined =>
    NAMED_BY[list](item as Values);

/** Removes the entries that cannot be used, and those that are there again. */
function readList(item: Field, list: unknown[], place: Place): void {
  let kept = 0;
  const { length } = list;
  const nameOf = Object.hasOwn(NAMED_BY, place.name)
    ? NAMED_BY[place.name as keyof typeof NAMED_BY]
    : undefined;
  const names = nameOf && new Set<unknown>();
  let dropped: Map<number, boolean> | undefined;
  for (let i = 0; i < length; i++) {
    const entry = readEntry(item, list[i], place);
    const name = nameOf && isObject(entry) ? nameOf(entry) : undefined;
    const isAgain = name !== undefined && names!.size === names!.add(name).size;
    if (isAgain) place.note(place.name);
    if (entry === undefined || isAgain) (dropped ??= new Map()).set(i, !isAgain);
    else list[kept++] = entry;
  }
  if (!dropped) return;
  list.length = kept;
  leftOut.set(list, dropped);
}

function readMap(item: Field, map: Values, place: Place): void {
  for (const [key, entry] of Object.entries(map)) {
    const read = readEntry(item, entry, place);
    if (read === undefined) delete map[key];
    else if (read !== entry) map[key] = read;
  }
}

/** An entry of a list or map; undefined when it cannot be used. */
function readEntry(item: Field, entry: unknown, place: Place): unknown {
  const kind = KINDS[item.kind];
  if (!kind) return entry;
  const value = kind.is(entry) ? entry : kind.from(entry);
  if (value === undefined) place.note(place.name, true);
  else if (value !== entry) place.note(place.name);
  if (value === undefined) return undefined;
  const problem = readInside(item, value, place);
  if (problem === undefined) return value;
  place.note(`${place.name}${problem}`, true);
  return undefined;
}

/** Reads what a value of the right kind holds; why it cannot be used, as `.key …`. */
function readInside(field: Field, value: unknown, { name, depth, holder, note }: Place): string | undefined {
  if (field.kind === "object")
    return readEntity(shapeOf(field)!, value as Values, { name, depth: depth + 1, holder, note });
  if (!field.item || field.item.kind === "any") return undefined;
  const place = { name, depth, holder, note };
  if (field.kind === "list") readList(field.item, value as unknown[], place);
  else readMap(field.item, value as Values, place);
  return undefined;
}

function readEntity(shape: Shape, value: Values, place: Place): string | undefined {
  if (place.depth > MAX_ENTITY_DEPTH) return undefined;
  for (const key in shape) {
    // The time a call took is in every answer, and nothing depends on it.
    if (place.depth === 0 && key === "duration") continue;
    const problem = readKey(shape, value, key, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function readKey(shape: Shape, value: Values, key: string, place: Place): string | undefined {
  const field = shape[key]!;
  const kind = KINDS[field.kind];
  let entry = value[key];
  if (!kind) return undefined;
  // Null stands for none; code reads absent values where the protocol knows no null.
  if (entry === null && !isPromised(field) && !field.nulls) delete value[key];
  const isNone = entry === undefined || entry === null || isBlank(key, field, entry);
  if (entry === "" && isNone && !isPromised(field)) delete value[key];
  if (isNone) return isPromised(field) ? fillIn(shape, value, key, place) : undefined;
  if (!kind.is(entry)) {
    const other = kind.from(entry);
    if (other === undefined) return mend(shape, value, key, place, ` must be ${kind.expected}`);
    note(place, key);
    entry = value[key] = other;
  }
  const inside = { name: key, depth: place.depth, holder: value, note: place.note };
  const problem = readInside(field, entry, inside);
  return problem === undefined ? undefined : mend(shape, value, key, place, problem);
}

const note = ({ name, note: report }: Place, key: string, lost?: boolean): void =>
  report(name === "" ? key : `${name}.${key}`, lost);

/** What an event is about: without it, the event says nothing. */
const isSubject = (key: string, { kind }: Field): boolean =>
  (kind === "object" && key !== "user" && key !== "me") ||
  (kind !== "list" && IDENTITY.test(key) && key !== "user");

/** An invalid value is left out, or made new where it must be there; why it cannot, else. */
function mend(shape: Shape, value: Values, key: string, place: Place, problem: string): string | undefined {
  const field = shape[key]!;
  if (!isPromised(field)) {
    if (place.depth === 0 && isSubject(key, field)) return `.${key}${problem}`;
    delete value[key];
    note(place, key, true);
    return undefined;
  }
  const before = value[key];
  delete value[key];
  const missing = fillIn(shape, value, key, place);
  if (missing === undefined) return undefined;
  value[key] = before;
  return `.${key}${problem}`;
}

/** Whether an answer has something of what its row promises: one without any is not of this protocol. */
const isOfProtocol = (shape: Shape, value: Values): boolean =>
  Object.entries(shape).some(([key, field]) => isPromised(field) && KINDS[field.kind]?.is(value[key]));

/** Fills in a missing value; a problem where the entity is unusable without the key. */
function fillIn(shape: Shape, value: Values, key: string, place: Place): string | undefined {
  const field = shape[key]!;
  if (needs(shape, key)) {
    const derived = place.depth === 0 ? undefined : derivedValue(shape, key, value, place.holder);
    if (derived === undefined) return `.${key} is missing`;
    value[key] = derived;
    note(place, key, key === "user");
    return undefined;
  }
  // Some languages write an empty list as null: no oddity.
  const isEmptyList = value[key] === null && field.kind === "list";
  if (place.depth === 0 && !isEmptyList && !isOfProtocol(shape, value)) return `.${key} is missing`;
  const filled = {};
  if (field.kind === "list") value[key] = [];
  else if (field.kind === "map") value[key] = {};
  else if (field.kind === "object") {
    const inside = { name: key, depth: place.depth + 1, holder: value, note: () => undefined };
    if (readEntity(shapeOf(field)!, filled, inside) === undefined) value[key] = filled;
  }
  if (!isEmptyList) note(place, key);
  return undefined;
}

/** Stands for an entity of which nothing was told: its identity is blank. */
function placeholderOf(field: Field): object {
  const made: Values & { [PLACEHOLDER]: true } = { [PLACEHOLDER]: true };
  for (const [key, row] of Object.entries(shapeOf(field) ?? {}))
    if (isPromised(row))
      if (row.kind === "object") made[key] = IDENTITY.test(key) ? { id: "" } : {};
      else if (row.kind === "list") made[key] = [];
      else if (row.kind === "map") made[key] = {};
      else if (row.kind !== "time")
        made[key] = row.kind === "flag" ? false : KINDS[row.kind] === A_NUMBER ? 0 : "";
  return made;
}

/** Makes the answer to a write complete: with it the write is done, whatever it lacks. */
function complete(shape: Shape, answer: Values, report: NoteOddity): void {
  for (const [key, field] of Object.entries(shape)) {
    if (key === "duration" || !isPromised(field)) continue;
    const rest = { [key]: field };
    const place = { name: "", depth: 0, holder: {}, note: report };
    if (KINDS[field.kind]?.is(answer[key]) && readEntity(rest, answer, place) === undefined) continue;
    report(key, true);
    if (field.kind === "object") answer[key] = placeholderOf(field);
    else if (field.kind === "list") answer[key] = [];
    else if (field.kind === "map") answer[key] = {};
    else delete answer[key];
  }
}

/** A promised entity that an answer lacks beside what it has: others can be made up, this one needs an identity. */
const missingEntity = (shape: Shape, answer: Values): string | undefined =>
  Object.keys(shape).find((key) => {
    const field = shape[key]!;
    return field.kind === "object" && isPromised(field) && !isObject(answer[key]);
  });

const IGNORE: NoteOddity = () => undefined;

interface AnswerOptions {
  /** A write that was answered. */
  done?: boolean;
  note?: NoteOddity;
  /** Parses the answer once more, for what is kept as it came. */
  again?(): unknown;
}

/**
 * Why the answer to a call is invalid, or undefined. Fills in what is missing, and leaves out what cannot be used. A write that was
 * answered is `done`, so its answer is made complete instead.
 */
export function answerProblem(
  shape: Shape,
  answer: Values,
  { done = false, note = IGNORE, again }: AnswerOptions = {},
): string | undefined {
  let hasLost = false;
  const counted: NoteOddity = (field, lost) => {
    hasLost ||= lost === true;
    note(field, lost);
  };
  let problem = readEntity(shape, answer, { name: "", depth: 0, holder: {}, note: counted })?.slice(1);
  const missing = missingEntity(shape, answer);
  if (missing !== undefined) problem ??= `${missing} is missing`;
  if (problem !== undefined && done) complete(shape, answer, counted);
  if (hasLost && again) rememberRaw(answer, again(), droppedAt);
  return done ? undefined : problem;
}

const events = new Map<string, Shape>();

/** Like `answerProblem`, for an event. Of an unknown event only the envelope is checked, and no key is required. */
export function eventProblem(event: { type: string }, note = IGNORE): string | undefined {
  const name = Object.hasOwn(EVENTS, event.type) ? (event.type as keyof typeof EVENTS) : "";
  let shape = events.get(name);
  if (!shape)
    events.set(name, (shape = optional({ ...EventEnvelope, ...(name !== "" && EVENTS[name]) }) as Shape));
  const place = { name: "", depth: 0, holder: {}, note };
  return readEntity(shape, event as unknown as Values, place)?.slice(1);
}
