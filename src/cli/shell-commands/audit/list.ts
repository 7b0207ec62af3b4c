/** `parley audit list`: lists the entries of this machine's audit log. */
import type { Shell } from "../../base/shell.ts";
import { rowOf, command } from "../../../commands/base/define-command.ts";
import { showList } from "../../output/results.ts";
import { cutToLimit, findAuditLines, AUDIT_ARGS } from "./find.ts";

export default command({
  shell: true,
  summary: "List audit log entries, newest first",
  examples: ["audit list --since 7d", "audit list --command 'user upsert' --all --json"],
  aliases: ["ls"],
  allowsDryRun: true,
  args: AUDIT_ARGS,
  run: (shell: Shell, args) =>
    showList(shell, cutToLimit(shell, findAuditLines(shell, args)), (line) =>
      rowOf(line, {
        time: "time",
        state: "state",
        by: "os_user",
        profile: "profile",
        user: "user",
        command: "command",
        count: "count",
        exit: "exit",
      }),
    ),
});
