/** Rows that many bodies share: who acts, partial updates, lists with cursors. */
import { any, custom, filter, id, limit, list, map, object, sort, text, type Field } from "../fields.ts";
import type { User } from "../user.ts";

/** Who acts when a server calls; a token says it by itself. */
export const acting = {
  user_id: id(),
  user: object({ id: id(), "*": custom(Infinity) }) as Field<Partial<User> & { id: string }, Fields>,
};
type Fields = Record<string, unknown>;

/** Paths of an entity set and unset; `null` removes. */
export const partial = { ...acting, set: map(any()), unset: list(text()) };

/** A list with cursors: `next` and `prev` go back as they came. */
export const listing = (limits: readonly [number, number]) => ({
  ...acting,
  filter: filter(),
  sort: sort(),
  limit: limit(limits),
  next: id(Infinity),
  prev: id(Infinity),
});
