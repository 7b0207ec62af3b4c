/** Checks the names of fields that people type, because a provider silently ignores those it does not know. */
import { slipsBetween } from "../../text/spelling.ts";
import type { Shape } from "../../wire/fields.ts";
import { keysAt, strayKeys } from "../../wire/stray-keys.ts";
import { CommandError } from "./define-command.ts";

/** As many slips of the finger are still the same word. */
const SLIPS = 2;

/** The name that was meant, when one is near. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  const far = (name: string): number => slipsBetween(name, word);
  return names.filter((name) => far(name) <= SLIPS).toSorted((a, b) => far(a) - far(b))[0];
}

interface StrayField {
  /** Dotted. */
  path: string;
  /** What it may have been, or what there is. */
  hint: string;
}

/** Every field that the shape does not know. */
export const strayFields = (shape: Shape, fields: object): StrayField[] =>
  strayKeys(shape, fields).map((path) => {
    const steps = path.split(".");
    const known = keysAt(shape, steps.slice(0, -1));
    const near = nearestName(steps.at(-1)!, known);
    return { path, hint: near === undefined ? `It has ${known.join(", ")}.` : `Did you mean ${near}?` };
  });

/** Throws `CommandError` (rejected) for the first field that the shape does not know; `what` has them: `A campaign`. */
export function needKnownFields(shape: Shape, fields: object, what: string): void {
  const [stray] = strayFields(shape, fields);
  if (stray) throw new CommandError("rejected", `${what} has no field ${stray.path}.`, stray.hint);
}
