/** Finds the user in whose name a server-side call acts. */
import { isObject, type Fields } from "../../wire/json-object.ts";

/**
 * The acting user of a server-side call (specification/auth.md §10): the first who is named in the query, in `user` or in `user_id`, of the body or of
 * what the body carries. An empty name counts for nothing.
 */
export function actingUser(body: Fields, query: Record<string, string>): string | undefined {
  const named = (value: unknown): string | undefined => {
    if (!isObject(value)) return undefined;
    const names = [isObject(value.user) ? value.user.id : undefined, value.user_id];
    return names.find((name): name is string => typeof name === "string" && name !== "");
  };
  return (
    (query.user_id || undefined) ??
    named(body) ??
    named(body.message) ??
    named(body.reaction) ??
    named(body.event)
  );
}
