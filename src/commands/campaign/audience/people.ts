/** Finds people at the provider by a filter, a segment or their ids, deleted ones included. */
import { QUERY_USERS_LIMIT, SEGMENT_TARGETS_PAGE } from "../../../wire/constants.ts";
import type { Filter } from "../../../wire/entities/query.ts";
import type { Segment } from "../../../wire/entities/segment.ts";
import type { User } from "../../../wire/entities/user.ts";
import { byCursor, byItem } from "../../base/lists/cursor.ts";
import type { Args, CommandCall } from "../../base/define-command.ts";

export type AudienceCall = Pick<CommandCall<Args>, "core" | "signal" | "progress">;

const ALL = { limit: Infinity };

/** Ids in groups of this many. */
export const inGroups = <T>(ids: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(ids.length / most) }, (_, i) => ids.slice(i * most, (i + 1) * most));

/** Deactivated and deleted ones, too, where they are asked for by their ids. */
function usersBy({ core }: Pick<AudienceCall, "core">, filter: Filter, gone = false): AsyncIterable<User> {
  return byItem<User>(ALL, {
    biggest: QUERY_USERS_LIMIT[1],
    async fetch({ limit, after }) {
      const query = {
        filter_conditions: filter,
        sort: [{ field: "id", direction: 1 as const }],
        limit,
        ...(gone ? { include_deactivated_users: true } : {}),
        ...(after === undefined ? {} : { id_gt: after }),
      };
      return (await core.call("queryUsers", { query })).users;
    },
    cursorOf: ({ id }) => id,
  });
}

/** The ids of those whom a filter picks now, in their order. */
export async function idsByFilter(call: AudienceCall, filter: Filter): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of usersBy(call, filter)) {
    call.signal.throwIfAborted();
    ids.push(id);
  }
  return ids;
}

/** The ids in a list of targets, in their order. */
export async function idsOfTargets({ core, signal }: AudienceCall, id: string): Promise<string[]> {
  const targets = byCursor(ALL, SEGMENT_TARGETS_PAGE[1], async (body) => {
    signal.throwIfAborted();
    const reply = await core.call("querySegmentTargets", { path: { id }, body });
    return { items: reply.targets, next: reply.next };
  });
  const ids: string[] = [];
  for await (const { target_id } of targets) ids.push(target_id);
  return ids;
}

/** Whom a segment of users picks now, whatever it picks by. */
export const idsOfSegment = (
  call: AudienceCall,
  { id, filter, all_users }: Pick<Segment, "id" | "filter" | "all_users">,
): Promise<string[]> => (all_users || filter ? idsByFilter(call, filter ?? {}) : idsOfTargets(call, id));

/** What is told in more letters than these is hardly told of two people alike. */
const SHORT = 40;

/** Holds once what the answers tell of many people alike: a hundred thousand have half a million empty lists. */
class Shared {
  readonly #values = new Map<string, unknown>();

  #one(value: object): unknown {
    const text = JSON.stringify(value);
    if (text.length > SHORT) return value;
    if (!this.#values.has(text)) this.#values.set(text, Object.freeze(value));
    return this.#values.get(text);
  }

  lean(user: User): User {
    for (const [key, value] of Object.entries(user))
      if (typeof value === "object" && value !== null) Object.assign(user, { [key]: this.#one(value) });
    // Two texts of the same letters are two texts in memory.
    if (user.updated_at === user.created_at) user.updated_at = user.created_at;
    return user;
  }
}

/** Users by id, deleted and deactivated ones too; who is not in it is unknown. Progress counts ids. */
export async function fetchUsers(call: AudienceCall, ids: readonly string[]): Promise<Map<string, User>> {
  const found = new Map<string, User>();
  const shared = new Shared();
  let looked = 0;
  for (const group of inGroups(ids, QUERY_USERS_LIMIT[1])) {
    call.signal.throwIfAborted();
    for await (const user of usersBy(call, { id: { $in: group } }, true))
      found.set(user.id, shared.lean(user));
    call.progress((looked += group.length), ids.length, "people");
  }
  return found;
}

/** Those that are ids of nobody, or of deleted users. */
export async function unknownOf(call: AudienceCall, ids: readonly string[]): Promise<string[]> {
  const users = await fetchUsers(call, ids);
  return ids.filter((id) => !users.has(id) || users.get(id)!.deleted_at !== undefined);
}
