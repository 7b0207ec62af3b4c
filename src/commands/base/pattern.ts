/** Regular expressions as people write them on a command line. */
import { CommandError } from "./define-command.ts";

/** Throws `CommandError` (usage) naming the flag for a text that is none. */
export function readPattern(text: string, name: string): RegExp {
  try {
    return new RegExp(text, "u");
  } catch (error) {
    throw new CommandError("usage", `${name} is not a regular expression: ${(error as Error).message}`);
  }
}
