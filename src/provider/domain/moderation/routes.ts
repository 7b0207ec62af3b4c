/** Routes of bans, flags, reports and buttons by the name of their endpoint row. */
import { queryBannedUsers, queryFutureChannelBans } from "./ban-queries.ts";
import { runMessageAction } from "./action.ts";
import { ban, unban } from "./ban-routes.ts";
import { flag, queryMessageFlags, unflag } from "./flag-routes.ts";
import { queryFlagReports, reviewFlagReport } from "./reports.ts";

export const moderationRoutes = {
  ban,
  unban,
  queryBannedUsers,
  queryFutureChannelBans,
  flag,
  unflag,
  queryMessageFlags,
  queryFlagReports,
  reviewFlagReport,
  runMessageAction,
};
