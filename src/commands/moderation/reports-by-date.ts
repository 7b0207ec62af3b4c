/** Reads reports of flagged messages page by page, newest or oldest first. */
import { QUERY_FLAGS_LIMIT } from "../../wire/constants.ts";
import type { FlagReport } from "../../wire/entities/moderation.ts";
import type { Filter } from "../../wire/entities/query.ts";
import { byCreation } from "../base/lists/by-offset.ts";
import type { Args, Call } from "../base/define-command.ts";

export const reportsByDate = (
  { page, core }: Pick<Call<Args>, "page" | "core">,
  filter: Filter,
  direction: 1 | -1 = -1,
): AsyncIterable<FlagReport> =>
  byCreation(
    { page, maxPageSize: QUERY_FLAGS_LIMIT[1], filter, direction },
    (report) => report.id,
    async (span) => (await core.call("queryFlagReports", { body: span })).flag_reports,
  );
