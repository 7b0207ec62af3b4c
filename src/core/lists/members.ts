/** The members of a channel page by page, by any filter (specification/wire.md §9). */
import type { Member } from "../../wire/entities/channel.ts";
import { DEFAULT_PAGE } from "../../wire/constants.ts";
import type { Filter, Sort } from "../../wire/entities/query.ts";
import { partsOf } from "../base/validate-call.ts";
import type { StateMachine } from "../state/machine.ts";
import type { ApiCall } from "../http/caller.ts";
import { createPagedList, type PagedList } from "./paged.ts";

export interface MembersQuery {
  filter?: Filter;
  sort?: Sort;
  /** Of a page; default DEFAULT_PAGE. */
  limit?: number;
}

interface MembersDeps {
  call: ApiCall;
  /** A channel that is held shows its members as they were answered last. */
  machine: Pick<StateMachine, "apply" | "revision">;
}

/**
 * Throws the local checks of a cid. By user id, unless another order is asked for: then a page begins after a user, and
 * who joins or leaves meanwhile moves nobody. In another order a page begins after a number of members.
 */
export function createMembers(deps: MembersDeps, cid: string, query: MembersQuery = {}): PagedList<Member> {
  const place = partsOf(cid);
  const { filter = {}, sort, limit: usual = DEFAULT_PAGE } = query;
  return createPagedList<Member>(
    async ({ next, limit = usual }, how) => {
      const offset = Number(next ?? 0);
      const since = deps.machine.revision();
      const { members = [] } = await deps.call("queryMembers", {
        query: {
          ...place,
          filter_conditions: filter,
          sort: sort ?? [{ field: "user_id", direction: 1 }],
          limit,
          ...(sort ? { offset } : next !== undefined && { user_id_gt: next }),
        },
        ...how,
      });
      deps.machine.apply({ kind: "members", cid, members, since });
      const after = sort ? String(offset + members.length) : members.at(-1)?.user_id;
      return { items: members, ...(members.length >= limit && after !== undefined && { next: after }) };
    },
    ({ user_id }) => user_id,
  );
}
