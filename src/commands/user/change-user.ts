/** Changes fields of one user, of the current one without a name. */
import type { Core } from "../../core/core.ts";
import type { User } from "../../wire/entities/user.ts";
import { CommandError } from "../base/define-command.ts";
import type { readSet } from "./fields.ts";

/** A named user is changed by the app, if its secret is at hand: a user's own token reaches only that user. */
export const isAboutOthers = ({ user }: { user?: string }): boolean => user !== undefined;

export async function changeUser(
  core: Pick<Core, "call" | "userId">,
  named: string | undefined,
  change: ReturnType<typeof readSet>,
): Promise<User> {
  const id = named ?? core.userId;
  if (id === undefined) throw new CommandError("usage", "No user is named.", "Name the user.");
  return (await core.call("updateUsersPartial", { body: { users: [{ id, ...change }] } })).users[id]!;
}
