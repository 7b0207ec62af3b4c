/** Fields that many bodies share: the acting user, partial updates, pages and lists with cursors. */
import { MAX_OFFSET } from "../constants.ts";
import {
  custom,
  filter,
  id,
  limit,
  list,
  object,
  offset,
  orNull,
  paths,
  sort,
  text,
  type Field,
  type Shape,
} from "../entities/fields.ts";
import type { User } from "../entities/user.ts";
import type { Fields } from "../json-object.ts";

/** The acting user of a server-side call; a user token names it already. */
export const acting = {
  user_id: id(),
  user: object({ id: id(), "*": custom(Infinity) }) as Field<Partial<User> & { id: string }, Fields>,
};
/** `set` and `unset` of a partial update; `shape` has the built-in keys that can be changed. */
export const changes = (shape: Shape) => ({ set: paths(shape), unset: list(text()) });
export const partial = (shape: Shape) => ({ ...acting, ...changes(shape) });

/** A list with cursors: `next` and `prev` are passed back unchanged. */
export const listing = (limits: readonly [number, number]) => ({
  ...acting,
  filter: filter(),
  sort: sort(),
  limit: limit(limits),
  next: id(Infinity),
  prev: id(Infinity),
});

/** A list with offsets. */
export const offsets = (limits: readonly [number, number]) => ({
  ...acting,
  limit: limit(limits),
  offset: offset(MAX_OFFSET),
});

/** Settings that null resets to their default. */
export const resettable = <S extends Shape>(shape: S): S =>
  Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, orNull(field)])) as unknown as S;

/** Both of `type` and `id`, or `channel_cid`, make it a ban in one channel; without it is app-wide. */
export const banPlace = { type: id(), id: id(), channel_cid: id() };
