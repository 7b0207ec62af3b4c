/** `parley audit …` and `parley history`: what commands of this machine changed. */
import type { Args } from "../../../commands/base/define-command.ts";
import { shellCommand } from "../../base/shell-command.ts";
import type { ShellCommand } from "../../base/shell-command.ts";

export const AUDIT_ARGS = {
  since: { kind: "time", help: "Only from this time on" },
  command: { kind: "text", help: "Only this command, or those of a noun" },
} as const satisfies Args;

export const VERIFY_ARGS = {
  head: {
    kind: "text",
    value: "hash",
    help: "A line of this hash has to be there: none was taken from the end",
  },
} as const satisfies Args;

export const auditCommands: Readonly<Record<string, ShellCommand>> = {
  "audit list": shellCommand({
    summary: "List the lines of the audit log, newest first",
    group: "Scripts",
    examples: ["audit list --since 7d", "audit list --command 'user upsert' --all --json"],
    args: AUDIT_ARGS,
    aliases: ["ls"],
    dry: true,
    load: () => import("./list.ts"),
  }),
  "audit verify": shellCommand({
    summary: "Check that nothing was changed in the audit log or taken out of it",
    group: "Scripts",
    examples: ["audit verify", 'audit verify --head "$(cat last-head)"'],
    args: VERIFY_ARGS,
    dry: true,
    load: () => import("./verify.ts"),
  }),
  history: shellCommand({
    summary: "Show what commands changed, a run each, newest first",
    group: "Scripts",
    examples: ["history", "history --since 1d --jq 'select(.result != \"done\")'"],
    args: AUDIT_ARGS,
    dry: true,
    load: () => import("./history.ts"),
  }),
};
