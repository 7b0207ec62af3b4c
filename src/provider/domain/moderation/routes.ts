/** The handlers of bans, flags, reports and buttons, each under the name of its endpoint. */
export { queryBannedUsers, queryFutureChannelBans } from "./rules/ban-queries.ts";
export { runMessageAction } from "../posting/rules/action.ts";
export { ban, unban } from "./rules/ban-routes.ts";
export { flag, queryMessageFlags, unflag } from "../flags/rules/flag-routes.ts";
export { queryFlagReports, reviewFlagReport } from "../flags/rules/reports.ts";
