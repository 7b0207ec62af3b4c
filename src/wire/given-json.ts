/** Values that a person typed or a file gives: nothing of them is changed in silence (specification/wire.md §6). */
import { EXCESSIVE, isExcessive, type BoundsName } from "./bounded-json.ts";
import { POISONED_KEYS } from "./ids.ts";
import { isObject } from "./json-object.ts";

/** A value that could not be kept as it was written; the message continues a sentence that begins with the value. */
export class UnusableValue extends Error {
  /** The number or name as it was written. */
  readonly found: string;
  constructor(message: string, found = "") {
    super(message);
    this.found = found;
    this.name = "UnusableValue";
  }
}

/** The number that a text is written as, if that number is written as this text: `12`, `0.5`; not `1.0`, `007` or what has more digits than a number keeps. */
function exactNumber(text: string): number | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  const isSafe = !Number.isInteger(number) || Number.isSafeInteger(number);
  return isSafe && String(number) === text ? number : undefined;
}

/** Throws `UnusableValue` for a name that would reach a prototype. */
function requireFieldName(name: string): void {
  if (POISONED_KEYS.has(name))
    throw new UnusableValue(`has a field called ${name}, which is not possible`, name);
}

const inexact = (source: string): UnusableValue =>
  new UnusableValue(
    `has the number ${source.slice(0, 40)}, of more digits than a number keeps: write it in quotes`,
    source,
  );

/** JSON has one notation for all numbers, so `1.0` is 1; only an integer that would become another one is refused. */
function requireExact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number") return value;
  const source = context?.source ?? String(value);
  const isInteger = /^-?\d+$/.test(source);
  if (!Number.isFinite(value) || (isInteger && String(value) !== source && source !== "-0"))
    throw inexact(source);
  return value;
}

/** Whether a text may have a number of too many digits: parsing with a check of each value is slower. */
const HAS_LONG_NUMBER = /\d{16}|\d[eE]\+?\d{3}/;
const HAS_POISONED_NAME = /"(?:__proto__|constructor|prototype)"\s*:|\\u/;

/** Throws `UnusableValue` for a poisoned name at any depth, and for integers of YAML that a number does not keep; others become numbers. */
export function settled(value: unknown): unknown {
  if (typeof value === "bigint") {
    if (String(Number(value)) !== String(value)) throw inexact(String(value));
    return Number(value);
  }
  if (Array.isArray(value)) return value.map(settled);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      requireFieldName(name);
      return [name, settled(one)];
    }),
  );
}

/** Throws `UnusableValue`, also for what is beyond the bounds, and `SyntaxError` for what is not JSON. */
export function parseGiven(text: string, of: BoundsName = "item"): unknown {
  if (isExcessive(text, of)) throw new UnusableValue(EXCESSIVE);
  const value: unknown = HAS_LONG_NUMBER.test(text) ? JSON.parse(text, requireExact) : JSON.parse(text);
  return HAS_POISONED_NAME.test(text) ? settled(value) : value;
}

/** A value typed as a flag or read from a cell: JSON for true, false, null, lists and objects, a number if the text is exactly one, else the text. */
export function typedValue(text: string): unknown {
  const number = exactNumber(text);
  if (number !== undefined) return number;
  if (!/^(true|false|null|[[{][\s\S]*)$/.test(text)) return text;
  try {
    return parseGiven(text);
  } catch (error) {
    if (error instanceof UnusableValue) throw error;
    return text;
  }
}
