/** Many users in calls of a hundred, and what the flags of deleting and bringing back have in common. */
import { USERS_PER_CALL } from "../../wire/constants.ts";
import type { Args, CommandCall, CommandError } from "../base/define-command.ts";
import { isOfSome, Several } from "../base/several.ts";
import { userIds } from "../member/remove.ts";

/** Ids without `@`, each once, in groups that one call takes. Throws `CommandError` (usage). */
export function batches(texts: readonly string[]): string[][] {
  const ids = [...new Set(userIds(texts))];
  return Array.from({ length: Math.ceil(ids.length / USERS_PER_CALL) }, (_, i) =>
    ids.slice(i * USERS_PER_CALL, (i + 1) * USERS_PER_CALL),
  );
}

/** Of one in a call that was not refused as a whole. */
interface Left {
  id: string;
  error: CommandError;
}

/**
 * One call a group; progress counts users. A group that is refused is asked for in halves, so that who is refused stops
 * nobody else; `left` finds those whom an answer leaves out. Ends as `Several` does.
 */
export async function* inBatches<T>(
  call: Pick<CommandCall<Args>, "progress">,
  texts: readonly string[],
  ask: (ids: string[]) => Promise<T>,
  left: (reply: T) => Left[] = () => [],
): AsyncIterable<{ ids: string[]; reply: T }> {
  const groups = batches(texts);
  const total = groups.reduce((sum, group) => sum + group.length, 0);
  const several = new Several();
  let over = 0;
  for (let ids = groups.shift(); ids !== undefined; ids = groups.shift()) {
    let reply: T;
    try {
      reply = await ask(ids);
    } catch (error) {
      const half = Math.ceil(ids.length / 2);
      if (ids.length > 1 && isOfSome(error)) groups.unshift(ids.slice(0, half), ids.slice(half));
      else several.failed(ids.length === 1 ? ids[0]! : named(ids), error);
      continue;
    }
    const without = left(reply);
    for (const { id, error } of without) several.failed(id, error);
    several.done(ids.length - without.length);
    over += ids.length;
    call.progress(over, total, "users");
    yield { ids, reply };
  }
  several.end();
}

/** `ana`, or `3 users`: for questions. */
export const named = (users: readonly string[]): string =>
  users.length === 1 ? users[0]! : `${users.length} users`;
