/** The members of a channel, page by page, with any filter (specification/wire.md §9). */
import { isFullPage, placesTaken, straighten } from "../../model/page-walk.ts";
import type { Member } from "../../wire/entities/channel.ts";
import { DEFAULT_PAGE } from "../../wire/constants.ts";
import type { Filter, Sort } from "../../wire/entities/query.ts";
import { partsOf } from "../base/validate-call.ts";
import type { StateMachine } from "../state/machine.ts";
import type { ApiCall } from "../base/api-types.ts";
import { createPagedList, type PagedList } from "./paged-list.ts";

export interface MembersQuery {
  filter?: Filter;
  sort?: Sort;
  /** Page size; default DEFAULT_PAGE. */
  limit?: number;
}

interface MembersDeps {
  call: ApiCall;
  /** Loaded channels get the answered members. */
  machine: Pick<StateMachine, "apply" | "revision">;
}

/**
 * Throws `LocalError` for an invalid cid. Ordered by user id by default: pages begin after a user id, so that members who
 * join or leave meanwhile shift nothing. With another order pages begin at an offset.
 */
export function createMembers(deps: MembersDeps, cid: string, query: MembersQuery = {}): PagedList<Member> {
  const place = partsOf(cid);
  const { filter = {}, sort, limit: pageSize = DEFAULT_PAGE } = query;
  return createPagedList<Member>(
    async ({ next, limit = pageSize, ...page }, options) => {
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
        ...page,
        ...options,
      });
      deps.machine.apply({ kind: "members", cid, members, since });
      if (!sort) straighten(members, (a, b) => (a.user_id < b.user_id ? -1 : 1));
      const after = sort ? String(offset + placesTaken(members, limit)) : members.at(-1)?.user_id;
      return {
        items: members,
        ...(isFullPage(members, limit) && after !== undefined && { next: after }),
      };
    },
    ({ user_id }) => user_id,
    pageSize,
  );
}
