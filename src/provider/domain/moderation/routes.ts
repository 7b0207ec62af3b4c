/** Routes of bans, flags, reports and buttons by the name of their endpoint row. */
import { queryBannedUsers, queryFutureChannelBans } from "./rules/ban-queries.ts";
import { runMessageAction } from "../posting/rules/action.ts";
import { ban, unban } from "./rules/ban-routes.ts";
import { flag, queryMessageFlags, unflag } from "../flags/rules/flag-routes.ts";
import { queryFlagReports, reviewFlagReport } from "../flags/rules/reports.ts";

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
