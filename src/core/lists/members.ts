/** The members of a channel page by page, by any filter (specification/wire.md §9: offsets). */
import type { Member } from "../../wire/channel.ts";
import { DEFAULT_PAGE } from "../../wire/constants.ts";
import type { Filter, Sort } from "../../wire/query.ts";
import { partsOf } from "../base/validate-call.ts";
import type { ApiCall } from "../http/caller.ts";
import { createPages } from "./paged.ts";
import type { PagedList } from "./paged.ts";

export interface MembersQuery {
  filter?: Filter;
  sort?: Sort;
  /** Of a page; default DEFAULT_PAGE. */
  limit?: number;
}

/** Throws the local checks of a cid. The cursor of a page is the number of members before it. */
export function createMembers(
  deps: { call: ApiCall },
  cid: string,
  query: MembersQuery = {},
): PagedList<Member> {
  const place = partsOf(cid);
  const { filter = {}, sort, limit = DEFAULT_PAGE } = query;
  return createPages<Member>(
    async (next) => {
      const offset = Number(next ?? 0);
      const { members = [] } = await deps.call("queryMembers", {
        query: { ...place, filter_conditions: filter, ...(sort && { sort }), limit, offset },
        retries: 1,
      });
      const full = members.length >= limit;
      return { items: members, ...(full && { next: String(offset + members.length) }) };
    },
    ({ user_id }) => user_id,
  );
}
