/** Many users in calls of a hundred, and what the flags of deleting and bringing back have in common. */
import { USERS_PER_CALL } from "../../wire/constants.ts";
import type { Args, CommandCall } from "../base/define-command.ts";
import { userIds } from "../member/remove.ts";

/** Ids without `@`, each once, in groups that one call takes. Throws `CommandError` (usage). */
export function batches(texts: readonly string[]): string[][] {
  const ids = [...new Set(userIds(texts))];
  return Array.from({ length: Math.ceil(ids.length / USERS_PER_CALL) }, (_, i) =>
    ids.slice(i * USERS_PER_CALL, (i + 1) * USERS_PER_CALL),
  );
}

/** One call a group; progress counts users. */
export async function* inBatches<T>(
  call: Pick<CommandCall<Args>, "progress">,
  texts: readonly string[],
  ask: (ids: string[]) => Promise<T>,
): AsyncIterable<{ ids: string[]; reply: T }> {
  const groups = batches(texts);
  const total = groups.reduce((sum, group) => sum + group.length, 0);
  let done = 0;
  for (const ids of groups) {
    const reply = await ask(ids);
    done += ids.length;
    call.progress(done, total, "users");
    yield { ids, reply };
  }
}

/** `ana`, or `3 users`: for questions. */
export const named = (users: readonly string[]): string =>
  users.length === 1 ? users[0]! : `${users.length} users`;
