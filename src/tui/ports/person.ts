/** The person that a word of the box means. */
import { userIdOf } from "../../model/person-named.ts";
import type { Ports } from "./ports.ts";

export const idOf = ({ store }: Pick<Ports, "store">, word: string): string =>
  userIdOf(store.state.users, word);
