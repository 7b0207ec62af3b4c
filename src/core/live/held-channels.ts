/** Queries and watches loaded channels by name; unlike the query of one channel it never creates them. */
import { MESSAGE_PAGE, RECOVERY_QUERY_LIMIT } from "../../wire/constants.ts";
import type { QueryChannelsBody } from "../../wire/endpoints/index.ts";

/** At most RECOVERY_QUERY_LIMIT of them. */
export const heldChannels = (cids: string[]): QueryChannelsBody => ({
  filter_conditions: { cid: { $in: cids } },
  limit: RECOVERY_QUERY_LIMIT,
  state: true,
  watch: true,
  presence: true,
  message_limit: MESSAGE_PAGE,
});
