/** Fields that people name, held against those there are: a provider takes what it does not know for nothing. */
import { slipsBetween } from "../../text/spelling.ts";
import type { Shape } from "../../wire/fields.ts";
import { keysAt, strayKeys } from "../../wire/stray-keys.ts";
import { CommandError } from "./define-command.ts";

/** As many slips of the finger are still the same word. */
const SLIPS = 2;

/** Throws `CommandError` (rejected) for the first field that the shape does not know; `what` has them: `A campaign`. */
export function needKnownFields(shape: Shape, fields: object, what: string): void {
  const [stray] = strayKeys(shape, fields);
  if (stray === undefined) return;
  const path = stray.split(".");
  const known = keysAt(shape, path.slice(0, -1));
  const far = (name: string): number => slipsBetween(name, path.at(-1)!);
  const [near] = known.filter((name) => far(name) <= SLIPS).toSorted((a, b) => far(a) - far(b));
  throw new CommandError(
    "rejected",
    `${what} has no field ${stray}.`,
    near === undefined ? `It has ${known.join(", ")}.` : `Did you mean ${near}?`,
  );
}
