/** Finds the person that a typed word means. */
import type { User } from "../wire/entities/user.ts";
import { fold } from "./matching.ts";

/** The id of somebody who is held, by id or by name; else the word itself, for the provider to know. */
export function userIdOf(users: ReadonlyMap<string, User>, word: string): string {
  const name = word.replace(/^@/, "");
  if (users.has(name)) return name;
  const named = [...users.values()].filter((user) => fold(user.name ?? "") === fold(name));
  return named.length === 1 ? named[0]!.id : name;
}
