/** Checks field names typed by people, because a provider silently ignores unknown ones. */
import { nearestName } from "../../text/spelling.ts";
import { type Shape, ignoredOf } from "../../wire/fields.ts";
import { acting } from "../../wire/bodies/frame.ts";
import { keysAt, strayKeys } from "../../wire/stray-keys.ts";
import { CommandError } from "./define-command.ts";

interface StrayField {
  /** Dotted path. */
  path: string;
  /** A suggestion, or the list of known fields. */
  hint: string;
}

/** All fields unknown to the shape. */
export function strayFields(shape: Shape, fields: object): StrayField[] {
  // Fields for the acting user and ignored fields cannot be set.
  const unset = new Set([...Object.keys(acting), ...ignoredOf(shape)]);
  return strayKeys(shape, fields).map((path) => {
    const steps = path.split(".");
    const known = keysAt(shape, steps.slice(0, -1)).filter((key) => steps.length > 1 || !unset.has(key));
    const near = nearestName(steps.at(-1)!, known);
    return { path, hint: near === undefined ? `It has ${known.join(", ")}.` : `Did you mean ${near}?` };
  });
}

/** Throws `CommandError` (rejected) for the first unknown field; `what` begins the sentence: `A campaign`. */
export function needKnownFields(shape: Shape, fields: object, what: string): void {
  const [stray] = strayFields(shape, fields);
  if (stray) throw new CommandError("rejected", `${what} has no field ${stray.path}.`, stray.hint);
}
