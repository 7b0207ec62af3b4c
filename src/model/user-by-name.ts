/** Resolves a typed word to a user id. */
import type { User } from "../wire/entities/user.ts";
import { fold } from "../text/fold.ts";

/** The id of a loaded user with this id or name; else the word itself, which the provider may know. */
export function userIdOf(users: ReadonlyMap<string, User>, word: string): string {
  const name = word.replace(/^@/, "");
  if (users.has(name)) return name;
  const named = [...users.values()].filter((user) => fold(user.name ?? "") === fold(name));
  return named.length === 1 ? named[0]!.id : name;
}
