/** `parley history`: lists the runs in the audit log, one line each. */
import type { Shell } from "../base/shell.ts";
import type { AuditLine } from "../../config/audit.ts";
import { rowOf, command } from "../../commands/base/define-command.ts";
import { exitName } from "../base/exit.ts";
import { showList } from "../output/results.ts";
import { cutToLimit, findAuditLines, AUDIT_ARGS } from "./audit/find.ts";

/** A run without an end entry was killed, so its result is unknown. */
const resultOf = ({ state, exit }: AuditLine): string =>
  state === "begun" ? "unknown" : exitName(exit ?? 1);

function runOf(line: AuditLine) {
  const { time, run, profile, user, command, operations = {}, ids = [], count = 0, via } = line;
  return {
    time,
    run,
    profile,
    user,
    command,
    result: resultOf(line),
    operations,
    ids,
    count,
    ...(via && { via }),
  };
}

export default command({
  shell: true,
  group: "Scripts",
  summary: "Show what earlier runs changed, newest first",
  examples: ["history", "history --since 1d --jq 'select(.result != \"done\")'"],
  allowsDryRun: true,
  args: AUDIT_ARGS,
  run(shell: Shell, args) {
    const seen = new Set<string>();
    // Newest first: the end entry of a run comes before its start entry.
    const lines = findAuditLines(shell, args).filter(({ run }) => !seen.has(run) && seen.add(run));
    return showList(shell, cutToLimit(shell, lines.map(runOf)), (run) =>
      rowOf(run, {
        time: "time",
        profile: "profile",
        command: "command",
        result: "result",
        changes: {
          field: "operations",
          cell: Object.entries(run.operations)
            .map(([name, n]) => (n === 1 ? name : `${n} ${name}`))
            .join(", "),
        },
        about: {
          field: "ids",
          cell:
            run.count > 3
              ? `${run.ids.slice(0, 3).join(", ")} and ${run.count - 3} more`
              : run.ids.join(", "),
        },
      }),
    );
  },
});
