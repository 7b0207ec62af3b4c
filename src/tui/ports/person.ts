/** Finds the person that a typed word means. */
import { fold } from "../../model/matching.ts";
import type { Ports } from "./ports.ts";

/** The id of somebody who is held, by id or by name; else the word itself, for the provider to know. */
export function idOf({ store }: Pick<Ports, "store">, word: string): string {
  const name = word.replace(/^@/, "");
  if (store.state.users.has(name)) return name;
  const named = [...store.state.users.values()].filter((user) => fold(user.name ?? "") === fold(name));
  return named.length === 1 ? named[0]!.id : name;
}
