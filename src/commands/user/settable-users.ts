/** How `set --file` reads and writes people: a hundred in a request. */
import type { Core } from "../../core/core.ts";
import { SETTABLE_OF_USERS } from "../../wire/bodies/users.ts";
import { USERS_PER_CALL } from "../../wire/constants.ts";
import { builtInFields } from "../../wire/custom.ts";
import type { User } from "../../wire/entities/user.ts";
import { askForRights, type Settable } from "../base/bulk/set-from-file.ts";
import { PEOPLE } from "./people-file.ts";

/** Some users who are there, a request of them at most. */
export async function usersNow(core: Pick<Core, "call">, all: readonly string[]): Promise<Map<string, User>> {
  const ids = [...new Set(all)];
  const query = {
    filter_conditions: { id: { $in: ids } },
    limit: ids.length,
    include_deactivated_users: true,
  };
  const { users } = await core.call("queryUsers", { query });
  return new Map(users.map((user) => [user.id, user]));
}

export const settableUsers = (core: Pick<Core, "call">): Settable<User> => ({
  noun: "user",
  form: PEOPLE,
  isSettable: (name) => !builtInFields("user").has(name) || SETTABLE_OF_USERS.has(name),
  ...askForRights(["role", "teams_role"]),
  pageSize: USERS_PER_CALL,
  batchSize: USERS_PER_CALL,
  now: (ids) => usersNow(core, ids),
  async write(changes) {
    const users = [...changes].map(([id, change]) => ({ id, ...change }));
    return new Map(Object.entries((await core.call("updateUsersPartial", { body: { users } })).users));
  },
});
