/** Parses untrusted JSON: limits depth, nodes and keys, the first two before it is parsed, and drops keys that would reach a prototype. */
import { JSON_DEPTH_LIMIT, JSON_KEY_LIMIT, JSON_NODE_LIMIT } from "../../wire/constants.ts";
import { POISONED_KEYS } from "../../wire/ids.ts";
import { excessOf } from "../../wire/bounded-json.ts";
import { ApiProblem } from "./handler.ts";
import { isEmptyList } from "../../wire/absent.ts";
import { isObject, type Fields } from "../../wire/json-object.ts";

const tooDeep = (): ApiProblem => ApiProblem.input(`JSON may be at most ${JSON_DEPTH_LIMIT} levels deep`);
const tooManyValues = (): ApiProblem => ApiProblem.input(`JSON may hold at most ${JSON_NODE_LIMIT} values`);

/**
 * The JSON object of `text`, `{}` for blank text and for `[]`. Refuses with code 4: `invalid JSON` for anything but a JSON object, a sentence
 * for JSON that is too deep (64), has too many nodes (50,000), an object with too many keys (20,000) or an infinite number.
 */
export function parseJson(text: string): Fields {
  if (text.trim() === "") return {};
  const excess = excessOf(text, "request");
  if (excess !== undefined) throw excess === "depth" ? tooDeep() : tooManyValues();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw ApiProblem.input("invalid JSON");
  }
  if (isEmptyList(value)) return {};
  if (!isObject(value)) throw ApiProblem.input("invalid JSON");
  sanitize(value, /"(?:__proto__|constructor|prototype)"|\\u/.test(text));
  return value as Fields;
}

/** Checks the limits breadth-first, because the sender would choose the depth of a recursion. A `suspicious` text also loses poisoned keys and lone surrogates. */
function sanitize(root: object, suspicious: boolean): void {
  let nodes = 1;
  let level: object[] = [root];
  for (let depth = 1; level.length; depth++) {
    if (depth > JSON_DEPTH_LIMIT) throw tooDeep();
    const next: object[] = [];
    for (const object of level) {
      if (suspicious && !Array.isArray(object))
        for (const key of POISONED_KEYS) if (Object.hasOwn(object, key)) delete (object as Fields)[key];
      if (suspicious) replaceLoneSurrogates(object as Fields);
      const values = Array.isArray(object) ? object : Object.values(object);
      if (!Array.isArray(object) && values.length > JSON_KEY_LIMIT)
        throw ApiProblem.input(`a JSON object may have at most ${JSON_KEY_LIMIT} keys`);
      nodes += values.length;
      if (nodes > JSON_NODE_LIMIT) throw tooManyValues();
      for (const value of values)
        if (typeof value === "object" && value !== null) next.push(value);
        else if (value === Infinity || value === -Infinity)
          throw ApiProblem.input("a number in the JSON is too large");
    }
    level = next;
  }
}

/** Replaces lone UTF-16 surrogates, which only an escape can bring in: they cannot be encoded as UTF-8. */
function replaceLoneSurrogates(object: Fields): void {
  for (const [key, value] of Object.entries(object)) {
    if (typeof value === "string" && !value.isWellFormed()) object[key] = value.toWellFormed();
    if (key.isWellFormed()) continue;
    object[key.toWellFormed()] = object[key];
    delete object[key];
  }
}

/** Whether any object of this valid JSON text has a duplicate key: two parsers could then read different values. */
export function hasDuplicateKeys(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  for (const m of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    const token = m[0];
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (m[1]) {
      const key = JSON.parse(token.slice(0, token.length - m[1].length)) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return true;
      keys?.add(key);
    }
  }
  return false;
}
