/** Makes the targets of a segment match a file or a filter; all others are removed. */
import { count, firstFew } from "../../text/words.ts";
import { CommandError, command, fieldsView } from "../base/define-command.ts";
import { REPORT_ARGS, Report } from "../base/bulk/report.ts";
import { TARGET_SOURCE_ARGS, readTargetUsers } from "./target-users.ts";

interface SyncResult {
  segment: string;
  size: number;
  added: number;
  removed: number;
  kept: number;
  duplicates: number;
  unknown: string[];
  wrong: string[];
}

const unknownUser = (id: string): string => `there is no user ${id}`;

/** The error (partial) for ids that could not be added. */
function leftOutError({ segment, unknown, wrong }: Pick<SyncResult, "segment" | "unknown" | "wrong">) {
  const all = [...wrong, ...unknown.map(unknownUser)];
  if (all.length === 0) return undefined;
  const listed = firstFew(all, "; ", 10);
  return new CommandError("partial", `${all.length} were left out of ${segment}: ${listed}.`);
}

/** Nobody is named: rather the end of a broken pipe or a misspelt filter than a wish to remove everybody. */
function emptyError({ segment, filter }: { segment: string; filter?: string }, size: number): CommandError {
  const nobody =
    filter === undefined ? "Nobody in the input is a user of the app" : "The filter matches nobody";
  return new CommandError(
    "rejected",
    `${nobody}, and ${segment} has ${count(size, "user")}.`,
    "Add --allow-empty to remove everybody.",
  );
}

export default command({
  summary: "Sync a segment with a file or a filter",
  changes: "provider",
  examples: [
    "segment sync testers people.csv --yes --report synced.ndjson",
    `segment sync testers --filter '{"role":"user"}'`,
  ],
  args: {
    ...TARGET_SOURCE_ARGS,
    allowEmpty: { kind: "flag", help: "Also remove everybody when nobody is named" },
    ...REPORT_ARGS,
  },
  needs: "secret",
  confirm: ({ segment }) => ({
    level: "moderate",
    question: `Make ${segment} match what is named, and remove everybody else?`,
  }),
  async run(call): Promise<SyncResult> {
    const { args, dry } = call;
    const { segment } = args;
    const { changeTargetsOf, differenceOf } = await import("../campaign/audience/sync.ts");
    const { idsOfTargets } = await import("../campaign/audience/people.ts");
    const { PlannedSteps } = await import("../base/planned-steps.ts");
    const { ids, duplicates, unknown, invalid } = await readTargetUsers(call);
    const summary = { segment, unknown, wrong: invalid.map(({ reason }) => reason) };
    const now = await idsOfTargets(call, segment);
    if (ids.length === 0 && now.length > 0 && !args.allowEmpty) throw emptyError(args, now.length);
    const change = differenceOf(now, ids);
    const report = await Report.open(call, "id", args.file);
    try {
      for (const { line, reason } of invalid) report.failed([{ line }], new CommandError("rejected", reason));
      for (const id of unknown) report.failed([{ id }], new CommandError("notFound", unknownUser(id)));
      const present = new Set(now);
      report.done(ids.filter((id) => present.has(id)).map((id) => ({ id, result: "kept" })));
      const steps = new PlannedSteps(dry);
      await changeTargetsOf(call, segment, change, {
        steps,
        done: (_n, _of, part, result) => report.done(part.map((id) => ({ id, result }))),
      });
      // A dry run also fails for what would be left out.
      const error = dry ? leftOutError(summary) : undefined;
      if (error) throw error;
      steps.end();
    } finally {
      report.close();
    }
    return {
      ...summary,
      size: ids.length,
      added: change.add.length,
      removed: change.remove.length,
      kept: change.kept,
      duplicates: duplicates.length,
    };
  },
  show: ({ unknown, wrong, ...rest }) =>
    fieldsView({ ...rest, unknown: unknown.length, "wrong records": wrong.length }),
  fault: leftOutError,
});
