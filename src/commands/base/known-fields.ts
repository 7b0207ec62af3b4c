/** Checks the names of fields that people type, because a provider silently ignores those it does not know. */
import { nearestName } from "../../text/spelling.ts";
import { type Shape, ignoredOf } from "../../wire/fields.ts";
import { acting } from "../../wire/bodies/frame.ts";
import { keysAt, strayKeys } from "../../wire/stray-keys.ts";
import { CommandError } from "./define-command.ts";

interface StrayField {
  /** Dotted. */
  path: string;
  /** What it may have been, or what there is. */
  hint: string;
}

/** Every field that the shape does not know. */
export function strayFields(shape: Shape, fields: object): StrayField[] {
  // Who acts is no field of a thing, and what a provider ignores cannot be set.
  const unset = new Set([...Object.keys(acting), ...ignoredOf(shape)]);
  return strayKeys(shape, fields).map((path) => {
    const steps = path.split(".");
    const known = keysAt(shape, steps.slice(0, -1)).filter((key) => steps.length > 1 || !unset.has(key));
    const near = nearestName(steps.at(-1)!, known);
    return { path, hint: near === undefined ? `It has ${known.join(", ")}.` : `Did you mean ${near}?` };
  });
}

/** Throws `CommandError` (rejected) for the first field that the shape does not know; `what` has them: `A campaign`. */
export function needKnownFields(shape: Shape, fields: object, what: string): void {
  const [stray] = strayFields(shape, fields);
  if (stray) throw new CommandError("rejected", `${what} has no field ${stray.path}.`, stray.hint);
}
