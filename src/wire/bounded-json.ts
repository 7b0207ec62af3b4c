/** Parses JSON of others within bounds of depth, number of values and number of keys, and tells when YAML is beyond them (specification/security.md §1). */
import { JSON_DEPTH_LIMIT, JSON_NODE_LIMIT } from "./constants.ts";

/** What one text may cost; a value beyond is refused before it is parsed. */
interface JsonBounds {
  /** Nesting levels. */
  depth: number;
  /** Lists and objects. */
  containers: number;
  /** Commas outside of texts: one less than the values of each list and object. */
  values: number;
  /** Keys of all objects together. */
  keys: number;
}

/** Answers and frames: a message in a channel in a list with custom data needs fewer than eighty levels, the biggest page has 200,000 objects. */
const ANSWER: JsonBounds = { depth: 128, containers: 1_000_000, values: 4_000_000, keys: 4_000_000 };
/** One line, record, list element or file that people exchange: a message, a person, settings. */
const ITEM: JsonBounds = { depth: 128, containers: 50_000, values: 200_000, keys: 100_000 };
/** The body of a request, or a frame of a client: what the limits of its values allow. */
const REQUEST: JsonBounds = {
  depth: JSON_DEPTH_LIMIT,
  containers: JSON_NODE_LIMIT,
  values: JSON_NODE_LIMIT,
  keys: JSON_NODE_LIMIT,
};
const JSON_BOUNDS = { answer: ANSWER, item: ITEM, request: REQUEST } as const;
export type BoundsName = keyof typeof JSON_BOUNDS;

/** Said of what is beyond the bounds, after its name. */
export const EXCESSIVE = "is nested too deep or has too many values";

const [QUOTE, COMMA, COLON, BACKSLASH] = [34, 44, 58, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** Which bound a text is beyond, so that parsing it would cost far more than its length suggests. */
export function excessOf(text: string, of: BoundsName): "depth" | "values" | undefined {
  const bounds = JSON_BOUNDS[of];
  let depth = 0;
  let opened = 0;
  let values = 0;
  let keys = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) i = endOfString(text, i + 1);
    else if (unit === COMMA) {
      if (++values > bounds.values) return "values";
    } else if (unit === COLON) {
      if (++keys > bounds.keys) return "values";
    } else if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
      if (++depth > bounds.depth) return "depth";
      if (++opened > bounds.containers) return "values";
    } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) depth--;
  }
  return undefined;
}

/** Whether parsing would cost far more than the length suggests. */
export const isExcessive = (text: string, of: BoundsName = "answer"): boolean =>
  excessOf(text, of) !== undefined;

function endOfString(text: string, from: number): number {
  for (let i = text.indexOf('"', from); i >= 0; i = text.indexOf('"', i + 1)) {
    let slashes = 0;
    while (text.charCodeAt(i - 1 - slashes) === BACKSLASH && i - 1 - slashes >= from) slashes++;
    if (slashes % 2 === 0) return i;
  }
  return text.length;
}

/** Values of a YAML file: its parser takes 1.5 kB for each. */
const YAML = { depth: 128, values: 100_000 };
/** What every value of a YAML file needs one of: a line, a comma, a bracket, or a sign before it on its line. */
const YAML_VALUE = /[\n,[\]{}]|[-:?](?=[ \t])/g;
const NESTED_ON_A_LINE = new RegExp(`(?:[-?][ \\t]+){${YAML.depth}}`);

/** Whether parsing would cost far more than the length suggests. Aliases are for the parser to refuse. */
export function isExcessiveYaml(text: string): boolean {
  let values = 0;
  let depth = 0;
  for (const [sign] of text.matchAll(YAML_VALUE)) {
    if (sign === "[" || sign === "{") depth++;
    else if (sign === "]" || sign === "}") depth = Math.max(0, depth - 1);
    if (++values > YAML.values || depth > YAML.depth) return true;
  }
  return NESTED_ON_A_LINE.test(text);
}

/** The parsed value, or undefined for invalid or excessive JSON. */
export function parseBounded(text: string, of: BoundsName = "answer"): unknown {
  if (isExcessive(text, of)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
