/** The exit code of a comparison that found differences. */
import { count } from "../../text/words.ts";
import { CommandError } from "./define-command.ts";

/** Yields every difference, then throws `CommandError` (different) if there were any. */
export async function* differences<T>(all: AsyncIterable<T> | Iterable<T>): AsyncIterable<T> {
  let found = 0;
  for await (const one of all) {
    found++;
    yield one;
  }
  if (found > 0) throw new CommandError("different", `${count(found, "difference")}.`);
}
