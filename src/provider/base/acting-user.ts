/** Finds the user that a server-side call acts for. */
import { isObject, type Fields } from "../../wire/json-object.ts";

/**
 * The acting user of a server-side call (specification/auth.md §10): the first user named by the query, then by `user` or `user_id`
 * of the body, its message, its reaction or its event. Empty names are ignored.
 */
export function actingUser(body: Fields, query: Record<string, string>): string | undefined {
  const userNamedBy = (value: unknown): string | undefined => {
    if (!isObject(value)) return undefined;
    const names = [isObject(value.user) ? value.user.id : undefined, value.user_id];
    return names.find((name): name is string => typeof name === "string" && name !== "");
  };
  return (
    (query.user_id || undefined) ??
    userNamedBy(body) ??
    userNamedBy(body.message) ??
    userNamedBy(body.reaction) ??
    userNamedBy(body.event)
  );
}
