/** Looks up one user, and the errors about unknown ones. */
import type { Core } from "../../core/core.ts";
import type { User } from "../../wire/entities/user.ts";
import { CommandError } from "./define-command.ts";

export const userNotFound = (id: string, hint?: string): CommandError =>
  new CommandError("notFound", `There is no user ${id}.`, hint);

/** For ids typed by a person: hints at the list of users. */
export const noSuchUser = (id: string): CommandError => userNotFound(id, "parley user list");

/** Throws `CommandError` (notFound) for an unknown user. */
export async function existingUser(core: Core, id: string): Promise<User> {
  const { users } = await core.call("queryUsers", {
    query: { filter_conditions: { id }, limit: 1, presence: false },
  });
  if (!users[0]) throw noSuchUser(id);
  return users[0];
}
