/** Shows the changes that `apply` would make. */
import { APP_FILE_ARGS } from "./app/file/read.ts";
import type { Change } from "./app/file/changes.ts";
import { changeLine, summaryOf } from "./app/file/describe-changes.ts";
import { CommandError, command } from "./base/define-command.ts";

interface PlanResult {
  create: number;
  change: number;
  remove: number;
  changes: Change[];
}

const isPlanned = (result: PlanResult | object): result is PlanResult => "changes" in result;

export default command({
  summary: "Show how the app differs from a file, without changing anything",
  group: "Operations",
  changes: "nothing",
  examples: ["plan app.yaml", "plan app.yaml --prune --json", "plan --schema > app.schema.json"],
  args: {
    ...APP_FILE_ARGS,
    file: { ...APP_FILE_ARGS.file, optional: true },
    schema: { kind: "flag", help: "Print the JSON schema of app files instead" },
  },
  needs: "secret",
  shellOnly: "works on files",
  async run(call): Promise<PlanResult | object> {
    const { file, prune, schema } = call.args;
    if (schema) return (await import("./app/file/schema.ts")).appSchema();
    if (file === undefined)
      throw new CommandError(
        "usage",
        "No file is named.",
        "parley app backup --out app.yaml writes one to begin with.",
      );
    const { stepsOf } = await import("./app/file/steps.ts");
    const changes = (await stepsOf(call, file, { prune })).flatMap((step) => step.changes);
    const countOf = (action: Change["action"]): number =>
      changes.filter((one) => one.action === action).length;
    return { create: countOf("create"), change: countOf("change"), remove: countOf("remove"), changes };
  },
  show: (result) => ({
    kind: "text",
    lines: isPlanned(result)
      ? result.changes.length === 0
        ? ["Nothing differs."]
        : [...result.changes.map(changeLine), summaryOf(result.changes)]
      : [JSON.stringify(result)],
  }),
  fault: (result) =>
    isPlanned(result) && result.changes.length > 0
      ? new CommandError("different", "The app differs from the file.", "parley apply makes the changes")
      : undefined,
});
