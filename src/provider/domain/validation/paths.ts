/** Partial updates: `set` and `unset` with dotted paths on plain JSON values (specification/wire.md §6). */
import { POISONED_KEYS } from "../../../wire/ids.ts";
import { isObject, type BodyReader, type Fields } from "./check.ts";

export interface Partial {
  set: Fields;
  unset: string[];
}

/** Most paths of `set` and `unset` together. */
export const MAX_PATHS = 100;
const MAX_STEPS = 32;

/**
 * Reads and checks `set` and `unset` of a body: together not empty and at most 100 paths, no path inside another, no
 * spaces in names. The number is checked first, so that too many paths cost nothing.
 */
export function readPartial(check: BodyReader): Partial {
  const set = check.object("set") ?? {};
  const unset = check.texts("unset", MAX_PATHS) ?? [];
  const requested = [
    ...Object.keys(set).map((path) => [path, "set"] as const),
    ...unset.map((path) => [path, "unset"] as const),
  ];
  if (requested.length > MAX_PATHS) {
    check.fail("set", `and unset may name at most ${MAX_PATHS} paths together`);
    return { set: {}, unset: [] };
  }
  if (requested.length === 0) check.fail("set", "and unset must not both be empty");
  const bad = requested.filter(([path]) => !isPath(path));
  // An invalid path is never applied: one with endless steps would make an object too deep to serialize.
  if (bad.length > 0) {
    for (const [path, where] of bad) check.fail(`${where}.${path}`, "is not a path");
    return { set: {}, unset: [] };
  }
  checkOverlaps(requested, check);
  return { set, unset };
}

function isPath(path: string): boolean {
  const steps = path.split(".", MAX_STEPS + 1);
  return (
    steps.length <= MAX_STEPS &&
    steps.every((step) => step !== "" && !/\s/.test(step) && !POISONED_KEYS.has(step))
  );
}

/** Reports paths that equal or contain another, using the set of all prefixes seen so far. */
function checkOverlaps(
  requested: readonly (readonly [path: string, where: string])[],
  check: BodyReader,
): void {
  const paths = new Set<string>();
  const pathByPrefix = new Map<string, string>();
  for (const [path, where] of requested) {
    const steps = path.split(".", MAX_STEPS);
    const prefixes = steps.map((_, i) => steps.slice(0, i + 1).join("."));
    const found = pathByPrefix.get(path) ?? prefixes.find((prefix) => paths.has(prefix));
    // A key that is set and unset is unset: `unset` is applied last.
    const other = found === path && where === "unset" ? undefined : found;
    if (other !== undefined) check.fail(`${where}.${path}`, `overlaps the path ${other}`);
    paths.add(path);
    for (const prefix of prefixes) if (!pathByPrefix.has(prefix)) pathByPrefix.set(prefix, path);
  }
}

export const firstStep = (path: string): string => path.split(".", 1)[0]!;

/** A copy of `target` with the paths set and unset; setting null removes. Missing objects on the way are created. */
export function applyPartial(target: Fields, { set, unset }: Partial): Fields {
  const copy = structuredClone(target);
  for (const [path, value] of Object.entries(set)) {
    if (value === null) remove(copy, path.split("."));
    else put(copy, path.split("."), value);
  }
  for (const path of unset) remove(copy, path.split("."));
  return copy;
}

function put(target: Fields, steps: string[], value: unknown): void {
  let current = target;
  for (const step of steps.slice(0, -1)) {
    const next = current[step];
    current = isObject(next) ? next : ((current[step] = {}) as Fields);
  }
  current[steps.at(-1)!] = value;
}

function remove(target: Fields, steps: string[]): void {
  let current: unknown = target;
  for (const step of steps.slice(0, -1)) current = isObject(current) ? current[step] : undefined;
  if (isObject(current)) delete current[steps.at(-1)!];
}
