/** The exit code of a comparison that found differences. */
import { count } from "../../text/words.ts";
import { CommandError } from "./define-command.ts";

/** Yields every difference, then throws `CommandError` (different) if there were any. */
export async function* reportDifferences<T>(all: AsyncIterable<T> | Iterable<T>): AsyncIterable<T> {
  let total = 0;
  for await (const one of all) {
    total++;
    yield one;
  }
  if (total > 0) throw new CommandError("different", `${count(total, "difference")}.`);
}
