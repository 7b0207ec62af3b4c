/** `--only-for`: a message for people who do not exist would be seen by nobody, and is not sent (R-SEND-16). */
import type { Core } from "../../core/core.ts";
import { ApiError } from "../../model/errors.ts";
import { NOT_ALLOWED } from "../../wire/errors.ts";
import { CommandError } from "../base/define-command.ts";

/** By client: people who exist, or who see a message already. Each is looked up once, also for many lines. */
const known = new WeakMap<object, Set<string>>();

function knownTo(core: object): Set<string> {
  const people = known.get(core) ?? new Set();
  known.set(core, people);
  return people;
}

/** These people see what is answered; whether they still exist does not matter. */
export function trustPeople(core: object, ids: readonly string[]): void {
  for (const id of ids) knownTo(core).add(id);
}

/** Throws `CommandError` (notFound) for people who do not exist, where the user may look people up. */
export async function requirePeople(core: Pick<Core, "call">, ids: readonly string[]): Promise<void> {
  const asked = [...new Set(ids)].filter((id) => !knownTo(core).has(id));
  if (asked.length === 0) return;
  const query = { filter_conditions: { id: { $in: asked } }, limit: asked.length };
  const found = await core.call("queryUsers", { query }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === NOT_ALLOWED) return undefined;
    throw error;
  });
  const missing = found ? asked.filter((id) => !found.users.some((user) => user.id === id)) : [];
  if (missing.length > 0)
    throw new CommandError(
      "notFound",
      `There is no user ${missing.join(", ")} who could see the message.`,
      "Nothing was sent.",
    );
  trustPeople(core, asked);
}
