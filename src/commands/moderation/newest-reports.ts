/** Reports of flagged messages as the provider keeps them, newest first, page by page. */
import { QUERY_FLAGS_LIMIT } from "../../wire/constants.ts";
import type { FlagReport } from "../../wire/moderation.ts";
import type { Filter } from "../../wire/query.ts";
import { newestFirst } from "../base/by-offset.ts";
import type { Args, CommandCall } from "../base/define-command.ts";

export const newestReports = (
  { page, core }: Pick<CommandCall<Args>, "page" | "core">,
  filter: Filter,
): AsyncIterable<FlagReport> =>
  newestFirst(
    page,
    QUERY_FLAGS_LIMIT[1],
    filter,
    (report) => report.id,
    async (span) => (await core.call("queryFlagReports", { body: span })).flag_reports,
  );
