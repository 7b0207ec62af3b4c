/** Finds users at the provider by filter, segment or ids, including deleted ones. */
import { QUERY_USERS_LIMIT, SEGMENT_TARGETS_PAGE } from "../../../wire/constants.ts";
import type { Filter } from "../../../wire/entities/query.ts";
import type { Segment } from "../../../wire/entities/segment.ts";
import type { User } from "../../../wire/entities/user.ts";
import { byCursor, byItem } from "../../base/lists/cursor.ts";
import type { Args, Call } from "../../base/define-command.ts";
import { itemName } from "../../../wire/reading.ts";

export type AudienceCall = Pick<Call<Args>, "core" | "signal" | "progress">;

const ALL = { limit: Infinity };

/** Splits ids into groups of at most `size`. */
export const inGroups = <T>(ids: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, i) => ids.slice(i * size, (i + 1) * size));

/** With `gone`, includes deactivated and deleted users. */
function usersBy(
  { core }: Pick<AudienceCall, "core">,
  filter: Filter,
  includeDeleted = false,
): AsyncIterable<User> {
  return byItem<User>(ALL, {
    maxPageSize: QUERY_USERS_LIMIT[1],
    async fetch({ limit, after }, once) {
      const query = {
        filter_conditions: filter,
        sort: [{ field: "id", direction: 1 as const }],
        limit,
        ...(includeDeleted ? { include_deactivated_users: true } : {}),
        ...(after === undefined ? {} : { id_gt: after }),
      };
      return (await core.call("queryUsers", { query, ...once })).users;
    },
    cursorOf: ({ id }) => id,
    compare: (a, b) => (a.id < b.id ? -1 : 1),
  });
}

/** Ids of users who match a filter now. */
export async function idsByFilter(call: AudienceCall, filter: Filter): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of usersBy(call, filter)) {
    call.signal.throwIfAborted();
    ids.push(id);
  }
  return ids;
}

/** Ids of the targets of a segment. */
export async function idsOfTargets({ core, signal }: AudienceCall, id: string): Promise<string[]> {
  const targets = byCursor(ALL, SEGMENT_TARGETS_PAGE[1], itemName("targets"), async (body, once) => {
    signal.throwIfAborted();
    const reply = await core.call("querySegmentTargets", { path: { id }, body, ...once });
    return { items: reply.targets, next: reply.next };
  });
  const ids: string[] = [];
  for await (const { target_id } of targets) ids.push(target_id);
  return ids;
}

/** Ids of users in a segment now, by list, filter or all users. */
export const idsOfSegment = (
  call: AudienceCall,
  { id, filter, all_users }: Pick<Segment, "id" | "filter" | "all_users">,
): Promise<string[]> => (all_users || filter ? idsByFilter(call, filter ?? {}) : idsOfTargets(call, id));

/** Longer values (in JSON characters) are hardly ever equal. */
const MAX_SHARED = 40;

/** Shares equal small values between users to save memory: a hundred thousand users have half a million empty lists. */
class SharedValues {
  readonly #values = new Map<string, unknown>();

  #shared(value: object): unknown {
    const text = JSON.stringify(value);
    if (text.length > MAX_SHARED) return value;
    if (!this.#values.has(text)) this.#values.set(text, Object.freeze(value));
    return this.#values.get(text);
  }

  share(user: User): User {
    for (const [key, value] of Object.entries(user))
      if (typeof value === "object" && value !== null) Object.assign(user, { [key]: this.#shared(value) });
    // Equal strings from JSON are separate in memory.
    if (user.updated_at === user.created_at) user.updated_at = user.created_at;
    return user;
  }
}

/** Users by id, including deleted and deactivated ones; missing ids are unknown. */
export async function fetchUsers(call: AudienceCall, ids: readonly string[]): Promise<Map<string, User>> {
  const found = new Map<string, User>();
  const shared = new SharedValues();
  let checked = 0;
  for (const group of inGroups(ids, QUERY_USERS_LIMIT[1])) {
    call.signal.throwIfAborted();
    for await (const user of usersBy(call, { id: { $in: group } }, true))
      found.set(user.id, shared.share(user));
    call.progress((checked += group.length), ids.length, "people");
  }
  return found;
}

/** Ids of unknown or deleted users. */
export async function unknownOf(call: AudienceCall, ids: readonly string[]): Promise<string[]> {
  const users = await fetchUsers(call, ids);
  return ids.filter((id) => !users.has(id) || users.get(id)!.deleted_at !== undefined);
}
