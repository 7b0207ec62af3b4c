/** Reads the people and the text of `/dm @ana @"Bo Lind" hello`; a single name needs no @. */
import { splitWords } from "../../commands/line.ts";
import { userIdOf } from "../../model/user-by-name.ts";
import type { State } from "../../model/state.ts";

export function parseRecipients(
  { users }: Pick<State, "users">,
  rest: string,
): { ids: string[]; text: string } {
  const found = /^(?:@(?:"[^"]+"|\S+)\s*)+/.exec(rest)?.[0] ?? /^\S+\s*/.exec(rest)?.[0] ?? "";
  const ids = splitWords(found.replaceAll('@"', '"@')).map((word) => userIdOf(users, word));
  return { ids, text: rest.slice(found.length).trim() };
}
