/** Checks field names typed by people, because a provider silently ignores unknown ones. */
import { nearestName } from "../../text/spelling.ts";
import { type Shape, ignoredOf } from "../../wire/entities/fields.ts";
import { acting } from "../../wire/bodies/frame.ts";
import { keysAt, strayKeys } from "../../wire/stray-keys.ts";
import { CommandError } from "./define-command.ts";

interface UnknownField {
  /** Dotted path. */
  path: string;
  /** A suggestion, or the list of known fields. */
  hint: string;
}

/** Keys of a body that set nothing: those for the acting user, and those that are ignored. */
const notSettableIn = (shape: Shape): ReadonlySet<string> =>
  new Set([...Object.keys(acting), ...ignoredOf(shape)]);

/** The keys that a body can set, without those that name the thing. */
export function settableIn(shape: Shape, ...names: string[]): (name: string) => boolean {
  const others = new Set([...notSettableIn(shape), ...names]);
  const keys = new Set(Object.keys(shape).filter((key) => !others.has(key)));
  return (name) => keys.has(name);
}

/** All fields unknown to the shape. */
export function unknownFields(shape: Shape, fields: object): UnknownField[] {
  const notSettable = notSettableIn(shape);
  return strayKeys(shape, fields).map((path) => {
    const steps = path.split(".");
    const known = keysAt(shape, steps.slice(0, -1)).filter(
      (key) => steps.length > 1 || !notSettable.has(key),
    );
    const suggestion = nearestName(steps.at(-1)!, known);
    return {
      path,
      hint: suggestion === undefined ? `It has ${known.join(", ")}.` : `Did you mean ${suggestion}?`,
    };
  });
}

/** Throws `CommandError` (rejected) for the first unknown field; `what` begins the sentence: `A campaign`. */
export function rejectUnknownFields(shape: Shape, fields: object, what: string): void {
  const [unknown] = unknownFields(shape, fields);
  if (unknown) throw new CommandError("rejected", `${what} has no field ${unknown.path}.`, unknown.hint);
}
