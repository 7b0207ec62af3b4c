/** Parses regular expressions given as arguments. */
import { CommandError } from "./define-command.ts";

/** Throws `CommandError` (usage) naming the argument. */
export function readPattern(text: string, name: string): RegExp {
  try {
    return new RegExp(text, "u");
  } catch (error) {
    throw new CommandError("usage", `${name} is not a regular expression: ${(error as Error).message}`);
  }
}
