/** Resolves a typed name to a user id. */
import { userIdOf } from "../../model/user-by-name.ts";
import type { Ports } from "./ports.ts";

export const resolveUserId = ({ store }: Pick<Ports, "store">, word: string): string =>
  userIdOf(store.state.users, word);
