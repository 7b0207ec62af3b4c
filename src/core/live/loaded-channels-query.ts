/** Builds the query that reloads and watches channels by cid; unlike the query of one channel it never creates any. */
import { MESSAGE_PAGE, RECOVERY_QUERY_LIMIT } from "../../wire/constants.ts";
import type { QueryChannelsBody } from "../../wire/endpoints/index.ts";

/** At most RECOVERY_QUERY_LIMIT cids. */
export const loadedChannelsQuery = (cids: string[]): QueryChannelsBody => ({
  filter_conditions: { cid: { $in: cids } },
  limit: RECOVERY_QUERY_LIMIT,
  state: true,
  watch: true,
  presence: true,
  message_limit: MESSAGE_PAGE,
});
