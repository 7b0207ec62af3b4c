/** Resolves reports: keeps or deletes the message, or also bans its author, and marks the report reviewed. */
import type { Core } from "../../core/core.ts";
import type { FlagReport } from "../../wire/entities/moderation.ts";
import { BULK_ARGS } from "../base/bulk/bulk.ts";
import { CommandError, command } from "../base/define-command.ts";
import { changeEach, describeNames, type NameReader } from "../base/bulk/names.ts";
import { PlannedSteps } from "../base/planned-steps.ts";
import { minutesUntil } from "../member/ban-members.ts";
import { isNotFound } from "../../wire/errors.ts";
import { readReports } from "./reports-by-date.ts";

const ACTIONS = ["keep", "delete", "ban"] as const;

const REPORT: NameReader = {
  unit: "reports",
  fields: ["id"],
  read: (text) => text,
  exists: async (core, id) => (await findReport(core, id)) !== undefined,
};

/** Action → review result. */
const RESULTS: Readonly<Record<string, string>> = { keep: "approved", delete: "deleted", ban: "banned" };

/** Ignores that the message is deleted already. */
const ignoreNotFound = (request: Promise<unknown>): Promise<unknown> =>
  request.catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });

async function findReport(core: Pick<Core, "call">, id: string): Promise<FlagReport | undefined> {
  const body = { filter_conditions: { id }, limit: 1 };
  return (await readReports(core, body))[0];
}

async function reportOf(core: Pick<Core, "call">, id: string): Promise<FlagReport> {
  const report = await findReport(core, id);
  if (report) return report;
  throw new CommandError(
    "notFound",
    `There is no report ${id}.`,
    "parley moderation queue lists those that wait",
  );
}

/** Throws `CommandError` (conflict) for a report that was resolved differently. */
function rejectResolved(
  { id, review_result: before, reviewed_by: reviewer }: FlagReport,
  result: string,
): void {
  if (before === undefined || before === result) return;
  throw new CommandError(
    "conflict",
    `Report ${id} was resolved already: ${before}${reviewer ? ` by ${reviewer.id}` : ""}.`,
    "Add --again to resolve it another way.",
  );
}

export default command({
  summary: "Resolve reports: keep the message, delete it, or ban its author",
  changes: "provider",
  examples: [
    "moderation act keep 0b6c41d0 --by mira --note 'within the rules'",
    "moderation act ban 0b6c41d0 --until 7d --by mira",
    "parley moderation queue --ndjson | parley moderation act delete --file - --by mira --yes",
  ],
  args: {
    action: { kind: "choice", choices: ACTIONS, positional: true, help: "The operation" },
    reports: { kind: "list", positional: true, optional: true, help: "The reports" },
    ...BULK_ARGS,
    until: { kind: "time", direction: "future", measured: true, help: "With ban: when the ban ends" },
    again: { kind: "flag", help: "Resolve reports that were resolved another way, too" },
    note: { kind: "text", value: "text", help: "A note for the record" },
    by: { kind: "user", actingUser: true, help: "Who decides (default: you)" },
  },
  needs: "secret",
  confirm: (args) =>
    args.action === "keep"
      ? undefined
      : {
          level: "moderate",
          question: `Delete ${args.reports.length === 1 ? "the message of report " : "the messages of "}${describeNames(args.reports, args, "reports")}${args.action === "ban" ? ", and ban who wrote it" : ""}?`,
        },
  async *run(call) {
    const { core, dry } = call;
    const { action, again, by, note, until, reports } = call.args;
    if (by === undefined)
      throw new CommandError("usage", "No user is named as the one who decides.", "Add --by <user>.");
    if (until !== undefined && action !== "ban")
      throw new CommandError("usage", "--until goes with ban: nobody is banned by this.");
    yield* changeEach(call, {
      kind: REPORT,
      names: reports,
      result: RESULTS[action]!,
      async send(id) {
        const report = await reportOf(core, id);
        if (!again) rejectResolved(report, RESULTS[action]!);
        const { message, message_user_id: author } = report;
        const steps = new PlannedSteps(dry);
        if (action !== "keep")
          await steps.take(() =>
            ignoreNotFound(core.call("deleteMessage", { path: { id: message.id }, query: {} })),
          );
        if (action === "ban")
          await steps.take(() =>
            core.call("ban", {
              body: {
                target_user_id: author,
                banned_by_id: by,
                ...minutesUntil(until),
                ...(note === undefined ? {} : { reason: note }),
              },
            }),
          );
        const review = {
          review_result: RESULTS[action]!,
          user_id: by,
          review_details: note === undefined ? {} : { note },
        };
        await steps.take(() => core.call("reviewFlagReport", { path: { id }, body: review }));
        steps.end();
        return { report: id, action, message_id: message.id, user: author };
      },
    });
  },
  show: ({ report, action, user }) =>
    `${report} ${action === "keep" ? "kept" : action === "delete" ? "deleted" : `deleted, and ${user} banned`}`,
});
