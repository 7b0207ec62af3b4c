/** Partial updates: `set` and `unset` with dotted paths on plain JSON values (README §6). */
import { POISONED_KEYS } from "../../../wire/custom.ts";
import { isObject, type Check, type Fields } from "./check.ts";

export interface Partial {
  set: Fields;
  unset: string[];
}

/** Reads and checks `set` and `unset` of a body: together not empty, no path inside another, no spaces in names. */
export function readPartial(check: Check): Partial {
  const set = check.object("set") ?? {};
  const unset = check.texts("unset", 100) ?? [];
  const named = [
    ...Object.keys(set).map((path) => [path, "set"] as const),
    ...unset.map((path) => [path, "unset"] as const),
  ];
  if (named.length === 0) check.fail("set", "and unset must not both be empty");
  for (const [path, where] of named) {
    const steps = path.split(".");
    if (steps.some((step) => step === "" || /\s/.test(step) || POISONED_KEYS.has(step)))
      check.fail(`${where}.${path}`, "is not a path");
  }
  for (let i = 0; i < named.length; i++)
    for (let j = i + 1; j < named.length; j++) {
      const [a, b] = [named[i]![0], named[j]![0]];
      if (a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`))
        check.fail(`${named[j]![1]}.${b}`, `overlaps the path ${a}`);
    }
  return { set, unset };
}

export const firstStep = (path: string): string => path.split(".", 1)[0]!;

/** A copy of `target` with the paths set and unset; `set` to null removes. Steps into what is no object make one. */
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
  let at = target;
  for (const step of steps.slice(0, -1)) {
    const next = at[step];
    at = isObject(next) ? next : ((at[step] = {}) as Fields);
  }
  at[steps.at(-1)!] = value;
}

function remove(target: Fields, steps: string[]): void {
  let at: unknown = target;
  for (const step of steps.slice(0, -1)) at = isObject(at) ? at[step] : undefined;
  if (isObject(at)) delete at[steps.at(-1)!];
}
