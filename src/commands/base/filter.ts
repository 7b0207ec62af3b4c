/** Filters given as JSON text. */
import type { Filter } from "../../wire/query.ts";
import { CommandError } from "./define-command.ts";

/** Throws `CommandFault` (usage) when the text is no JSON object. */
export function readFilter(text: string): Filter {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Filter;
  } catch {
    // Said below.
  }
  throw new CommandError(
    "usage",
    "--filter must be a JSON object.",
    `For example --filter '{"frozen":true}'`,
  );
}
