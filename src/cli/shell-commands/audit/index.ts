/** `parley audit …` and `parley history`: show what commands of this machine have changed. */
import { commandInGroup, type ShellCommand } from "../../base/shell-command.ts";
import { AUDIT_ARGS, VERIFY_ARGS } from "./args.ts";

const scripts = commandInGroup("Scripts");

export const auditCommands: Readonly<Record<string, ShellCommand>> = {
  "audit list": scripts({
    summary: "List audit log entries, newest first",
    examples: ["audit list --since 7d", "audit list --command 'user upsert' --all --json"],
    args: AUDIT_ARGS,
    aliases: ["ls"],
    allowsDryRun: true,
    load: () => import("./list.ts"),
  }),
  "audit verify": scripts({
    summary: "Verify that the audit log has not been altered",
    examples: ["audit verify", 'audit verify --head "$(cat last-head)"'],
    args: VERIFY_ARGS,
    allowsDryRun: true,
    load: () => import("./verify.ts"),
  }),
  history: scripts({
    summary: "Show what earlier runs changed, newest first",
    examples: ["history", "history --since 1d --jq 'select(.result != \"done\")'"],
    args: AUDIT_ARGS,
    allowsDryRun: true,
    load: () => import("./history.ts"),
  }),
};
