/** Reads and checks request bodies; all problems are collected, and the first one becomes the message (specification/errors.md §6). */
import { POISONED_KEYS } from "../../../wire/ids.ts";
import { asFlag, isAbsent, isZeroTime } from "../../../wire/absent.ts";
import { isObject, type Fields } from "../../../wire/json-object.ts";
import type { Field, Shape, Values } from "../../../wire/entities/fields.ts";
import { normalTime, timeToMicros } from "../../../wire/time.ts";
import { invalidField, refuseProblems } from "../../base/problems.ts";
import { blankOf, readableRows, readers, valueWhenAbsent } from "./field-readers.ts";

export { invalidField, isObject, type Fields };

/** UTF-8 bytes of a value's JSON, as the 5 KiB limits count them. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/**
 * Reads one JSON object. A getter returns undefined when the field is absent or wrong; null counts as absent
 * (real clients send it for unused keys). `done()` refuses with everything found.
 */
export class BodyReader {
  readonly #source: Fields;
  readonly #prefix: string;
  readonly #problems: Record<string, string>;

  constructor(source: Fields, prefix = "", problems: Record<string, string> = {}) {
    this.#source = source;
    this.#prefix = prefix;
    this.#problems = problems;
  }

  fail(field: string, problem: string): undefined {
    this.#problems[this.#prefix + field] ??= problem;
    return undefined;
  }

  done(): void {
    refuseProblems(this.#problems);
  }

  /** Reads all fields of a shape; a required field that is missing or wrong gets the blank value of its kind. */
  read<S extends Shape>(shape: S): Values<S> {
    const values: Fields = {};
    for (const [key, field] of readableRows(shape))
      if (key === "*") values.custom = this.#customFields(shape, field.max);
      else values[key] = this.#value(key, field);
    return values as Values<S>;
  }

  #customFields(shape: Shape, max = Infinity): Fields {
    const custom: Fields = {};
    for (const [key, value] of Object.entries(this.#source))
      if (!Object.hasOwn(shape, key)) custom[key] = value;
    if (Number.isFinite(max)) checkCustom(this, custom, max);
    return custom;
  }

  /** Reads an object without reporting problems; undefined when anything in it is wrong. */
  tryRead<S extends Shape>(source: Fields, shape: S): Values<S> | undefined {
    const problems = {};
    const values = new BodyReader(source, "", problems).read(shape);
    return Object.keys(problems).length === 0 ? values : undefined;
  }

  #value(key: string, field: Field): unknown {
    const value = this.#source[key];
    if (isAbsent(field, value)) {
      if (field.required) this.fail(key, (field.kind === "list" && field.message) || "is required");
      return field.required ? blankOf(field) : valueWhenAbsent(field);
    }
    if (value === null) return null;
    return readers[field.kind](this, key, field) ?? (field.required ? blankOf(field) : undefined);
  }

  raw(field: string): unknown {
    return this.#source[field] ?? undefined;
  }

  text(field: string, limit = 5000): string | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    if (typeof value !== "string") return this.fail(field, "must be a text");
    if (value.length > limit) return this.fail(field, `must hold at most ${limit} characters`);
    return value;
  }

  /** Like `text`, but `""` counts as absent. */
  id(field: string): string | undefined {
    return this.text(field, 255) || undefined;
  }

  need(field: string, limit = 5000): string {
    const value = this.text(field, limit);
    if (value === undefined && this.raw(field) === undefined) this.fail(field, "is required");
    if (value !== undefined && value.trim() === "") this.fail(field, "must not be blank");
    return value ?? "";
  }

  flag(field: string): boolean | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    return asFlag(value) ?? this.fail(field, "must be true or false");
  }

  whole(field: string, min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): number | undefined {
    const value = this.raw(field);
    if (value === undefined || value === "") return undefined;
    const number = typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof number !== "number" || !Number.isSafeInteger(number))
      return this.fail(field, "must be a whole number");
    if (number < min) return this.fail(field, `must be at least ${min}`);
    if (number > max) return this.fail(field, `must be at most ${max}`);
    return number;
  }

  decimal(field: string, min: number, max: number): number | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !Number.isFinite(value)) return this.fail(field, "must be a number");
    if (value < min || value > max) return this.fail(field, `must be between ${min} and ${max}`);
    return value;
  }

  /** A page size: above the maximum it is clamped, below 1 refused (specification/wire.md §9). */
  limit([normal, max]: readonly [number, number], field = "limit"): number {
    return Math.min(this.whole(field, 1) ?? normal, max);
  }

  /** Whole microseconds of a date. */
  date(field: string): number | undefined {
    const value = this.raw(field);
    if (value === undefined || value === "" || isZeroTime(value)) return undefined;
    if (typeof value !== "string" || normalTime(value) === undefined)
      return this.fail(field, "must be an RFC 3339 date");
    return timeToMicros(value);
  }

  object(field: string): Fields | undefined {
    const value = this.raw(field);
    if (value === undefined || isObject(value)) return value as Fields | undefined;
    return this.fail(field, "must be an object");
  }

  list(field: string, max: number): unknown[] | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return this.fail(field, "must be a list");
    if (value.length > max) return this.fail(field, `must hold at most ${max} entries`);
    return value;
  }

  texts(field: string, max: number): string[] | undefined {
    const list = this.list(field, max);
    if (!list) return undefined;
    if (!list.every((item) => typeof item === "string")) return this.fail(field, "must be a list of texts");
    return list as string[];
  }

  /** A reader of an object at a path of this one (an entry of a list), with the same problem list. */
  within(source: Fields, path: string): BodyReader {
    return new BodyReader(source, `${this.#prefix}${path}.`, this.#problems);
  }

  /** A reader of a nested object, with the same problem list. */
  inside(field: string): BodyReader {
    return new BodyReader(this.object(field) ?? {}, `${this.#prefix}${field}.`, this.#problems);
  }
}

/** Checks the size of custom fields, and drops keys that would reach a prototype. */
export function checkCustom(check: BodyReader, custom: Fields, limit: number, field = "custom"): void {
  for (const key of Object.keys(custom)) if (POISONED_KEYS.has(key)) delete custom[key];
  if (jsonBytes(custom) > limit) check.fail(field, `custom data must be at most ${limit} bytes`);
}

/** Reads a body by its shape; throws with everything that is wrong. */
export function readBody<S extends Shape>(source: Fields, shape: S): Values<S> {
  const check = new BodyReader(source);
  const values = check.read(shape);
  check.done();
  return values;
}
