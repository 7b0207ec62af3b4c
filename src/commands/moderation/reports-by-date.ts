/** Reads reports of flagged messages: page by page, newest or oldest first, or those of one query. */
import type { PageCall } from "../../model/page-size.ts";
import { QUERY_FLAGS_LIMIT } from "../../wire/constants.ts";
import type { FlagReport } from "../../wire/entities/moderation.ts";
import type { Filter } from "../../wire/entities/query.ts";
import { isRouteAbsent } from "../../wire/errors.ts";
import type { CallArgs, Core } from "../../core/core.ts";
import { withHint } from "../../model/errors.ts";
import { byCreation } from "../base/lists/by-offset.ts";
import type { Args, Call } from "../base/define-command.ts";
import { itemName } from "../../wire/reading.ts";

/** Reads one page of reports; a provider without reports still has the flags that they collect (specification/moderation.md §4). */
export async function readReports(
  core: Pick<Core, "call">,
  body: CallArgs<"queryFlagReports">["body"],
  once: PageCall = {},
): Promise<FlagReport[]> {
  try {
    return (await core.call("queryFlagReports", { body, ...once })).flag_reports;
  } catch (error) {
    if (isRouteAbsent(error))
      withHint(
        error,
        "this provider has no reports; parley moderation flags --open lists the flags themselves",
      );
    throw error;
  }
}

export const reportsByDate = (
  { page, core }: Pick<Call<Args>, "page" | "core">,
  filter: Filter,
  direction: 1 | -1 = -1,
): AsyncIterable<FlagReport> =>
  byCreation(
    { page, maxPageSize: QUERY_FLAGS_LIMIT[1], filter, direction },
    itemName("flag_reports"),
    (span, once) => readReports(core, span, once),
  );
